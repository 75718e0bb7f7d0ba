import { apiScopes } from "@solar-sites/core/model"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { send as sendFile } from "../Client.ts"
import type { Browser } from "./Browser.ts"
import { type ConsoleSetup, consoleDatabases, consoleSetup } from "./ConsoleSetup.ts"

const { each, remove } = consoleDatabases()

const nobodys = "0190a5c0-0000-7000-8000-000000000000"
const newSite = { siteName: "Long Meadow", capacity: 48.6, unit: "kWp" }

/** Every change of the console, with a valid body. */
const changes: ReadonlyArray<readonly [string, unknown]> = [
  ["POST /console/session", { email: "a@example.com", password: "b" }],
  ["DELETE /console/session", undefined],
  ["POST /console/api-keys", { name: "x" }],
  [`POST /console/api-keys/${nobodys}/rotate`, {}],
  [`DELETE /console/api-keys/${nobodys}`, undefined],
  ["PUT /console/account", { name: "x" }],
  ["PUT /console/account/password", { currentPassword: "x", password: "another horse battery" }],
  ["POST /console/account/email", { email: "x@example.com", password: "x" }],
  ["DELETE /console/sessions", undefined],
  [`DELETE /console/sessions/${nobodys}`, undefined],
  [`DELETE /console/users/${nobodys}/sessions`, undefined],
  ["POST /console/invitations", { email: "x@example.com", role: "viewer" }],
  [`POST /console/invitations/${nobodys}/resend`, undefined],
  [`DELETE /console/invitations/${nobodys}`, undefined],
  ["POST /console/api/sites", newSite],
  [`PUT /console/api/sites/${nobodys}`, {}],
  [`DELETE /console/api/sites/${nobodys}`, undefined],
  ["POST /console/api/portfolios", { portfolios: [{ name: "x" }] }],
  [`DELETE /console/api/portfolios/${nobodys}/sites`, { siteId: nobodys }],
  ["POST /console/api/docs/bulk-upload-url", { siteId: nobodys, fileType: "documents", files: [] }]
]

const reads = [
  "GET /console/session",
  "GET /console/api-keys",
  "GET /console/account",
  "GET /console/sessions",
  "GET /console/invitations",
  "GET /console/api/me",
  "GET /console/api/sites",
  `GET /console/api/sites/${nobodys}`,
  "GET /console/api/portfolios/with-sites",
  "GET /console/api/docs"
]

afterAll(remove)

describe.each(each)("the API under /console on $name", ({ isMissing, variables }) => {
  describe.skipIf(isMissing)("that is available", () => {
    let setup: ConsoleSetup
    let ada: Browser
    let bob: Browser

    beforeAll(async () => {
      setup = await consoleSetup(await variables(), { RATE_LIMIT_PER_MINUTE: "0" })
      ada = await setup.loggedIn(setup.ada)
      bob = await setup.loggedIn(setup.bob)
    })

    afterAll(() => setup.close())

    it("answers a session as the API answers a key", async () => {
      const { json } = await ada.send("GET /console/api/me")
      expect(json).toEqual({
        organisation: { id: setup.ada.organisationId, name: "Test", status: "active" },
        userId: setup.ada.id,
        apiKey: null,
        scopes: apiScopes,
        portfolioIds: null
      })
      const headers = { "idempotency-key": crypto.randomUUID() }
      const created = await ada.send("POST /console/api/sites", { body: newSite, headers })
      const id = String(created.json["id"])
      expect([created.status, created.headers.get("etag")]).toEqual([201, '"1"'])
      expect(created.headers.get("location")).toBe(`/console/api/sites/${id}`)
      const replayed = await ada.send("POST /console/api/sites", { body: newSite, headers })
      expect([replayed.text, replayed.headers.get("idempotency-replayed")]).toEqual([created.text, "true"])
      const stale = { body: { siteName: "Stale" }, headers: { "if-match": '"7"' } }
      expect((await ada.send(`PUT /console/api/sites/${id}`, stale)).outcome).toBe("precondition_failed")
      const wrong = await ada.send("POST /console/api/sites", { body: { ...newSite, capacity: -1 } })
      expect(wrong.json).toMatchObject({ code: "validation_failed", errors: [{ pointer: "/capacity" }] })
      const byKey = await fetch(`${setup.address}/api/sites/${id}`, { headers: { "x-api-key": setup.ada.key } })
      expect(await byKey.text()).toBe(created.text)
    })

    it("issues upload addresses in the name of the user", async () => {
      const { json: site } = await ada.send("POST /console/api/sites", { body: newSite })
      const files = [{ filename: "note.txt", mimeType: "text/plain", fileSize: 5 }]
      const body = { siteId: site["id"], fileType: "documents", files }
      const { json } = await ada.send("POST /console/api/docs/bulk-upload-url", { body })
      const [issued] = Object(json["results"])
      expect((await sendFile(issued.uploadUrl, new TextEncoder().encode("hello"))).ok).toBe(true)
      const document = await ada.send(`GET /console/api/docs/${issued.documentId}`)
      expect(document.json).toMatchObject({ status: "uploaded", sizeBytes: 5, uploadedBy: setup.ada.id })
    })

    it("requires a session, and ignores keys", async () => {
      const headers = { "x-api-key": setup.ada.key }
      for (const line of reads) {
        for (const sent of [{}, { headers }, { headers: { "x-api-key": "wrong" } }]) {
          const { headers, outcome, status } = await setup.visitor().send(line, sent)
          expect([line, status, outcome]).toEqual([line, 401, "session_missing"])
          expect(headers.get("www-authenticate")).not.toContain("x-api-key")
        }
      }
      for (const [line, body] of changes.filter(([line]) => !line.endsWith("/session"))) {
        const { outcome } = await setup.visitor().send(line, { body, headers })
        expect([line, outcome]).toEqual([line, "session_missing"])
      }
    })

    it("gives no access to the API outside of /console", async () => {
      for (const line of ["GET /api/me", "GET /api/sites", "POST /api/sites", "GET /api/docs"]) {
        const { outcome } = await ada.send(line, line.startsWith("POST") ? { body: newSite } : {})
        expect([line, outcome]).toEqual([line, "api_key_missing"])
      }
    })

    it("accepts changes from its own origin only", async () => {
      const { address } = setup
      const { host, port } = new URL(address)
      const before = await ada.send("GET /console/api/sites")
      for (const origin of [
        "",
        "null",
        "https://evil.example.com",
        `http://localhost:${port}`,
        `${address}.evil.example.com`,
        `http://evil.example.com#${host}`,
        `http://user@${host}`,
        `${address}/`,
        `ftp://${host}`,
        host
      ]) {
        for (const [line, body] of changes) {
          const { outcome, status } = await ada.send(line, { body, headers: { origin } })
          expect([line, origin, status, outcome]).toEqual([line, origin, 403, "origin_not_allowed"])
        }
      }
      expect((await ada.send("GET /console/api/sites")).text).toBe(before.text)
    })

    it("answers for another organisation's records as for absent ones", async () => {
      const id = async (browser: Browser, path: string, body: unknown, pick: (json: unknown) => unknown) =>
        String(pick((await browser.send(`POST /console${path}`, { body })).json))
      const idOf = (json: unknown) => Object(json).id
      const site = await id(bob, "/api/sites", newSite, idOf)
      const portfolio = await id(bob, "/api/portfolios", [{ name: "Bob's" }], (json) => Object(json).data[0].id)
      const key = await id(bob, "/api-keys", { name: "Bob's" }, idOf)
      const file = { filename: "note.txt", mimeType: "text/plain" }
      const upload = { siteId: site, fileType: "documents", files: [file] }
      const document = await id(bob, "/api/docs/bulk-upload-url", upload, (json) => Object(json).results[0].documentId)
      for (const [line, foreign, body] of [
        ["GET /console/api/sites/ID", site, undefined],
        ["PUT /console/api/sites/ID", site, { siteName: "Mine" }],
        ["DELETE /console/api/sites/ID", site, undefined],
        ["PUT /console/api/portfolios/ID", portfolio, { name: "Mine" }],
        ["DELETE /console/api/portfolios/ID", portfolio, undefined],
        ["GET /console/api/docs/ID/download-url", document, undefined],
        ["PUT /console/api/docs/ID", document, { status: "approved" }],
        ["POST /console/api-keys/ID/rotate", key, {}],
        ["DELETE /console/api-keys/ID", key, undefined]
      ] as const) {
        const answers = []
        for (const id of [foreign, nobodys, "17"]) {
          const { headers, status, text } = await ada.send(line.replace("ID", id), { body })
          answers.push([status, text.replace(headers.get("x-request-id") ?? "none", "")])
        }
        expect([line, answers[0]?.[0]]).toEqual([line, 404])
        expect([line, ...answers]).toEqual([line, answers[0], answers[0], answers[0]])
      }
      expect((await bob.send("GET /console/api-keys")).json["data"]).toContainEqual(
        expect.objectContaining({ id: key })
      )
      expect((await bob.send(`GET /console/api/sites/${site}`)).json["siteName"]).toBe("Long Meadow")
    })

    it("answers 404 for other paths, and lists the methods of a path", async () => {
      for (const path of [
        "",
        "/",
        "/nothing",
        "/health/live",
        "/metrics",
        "/docs",
        "/openapi.json",
        "/api",
        "/session/"
      ]) {
        expect([path, (await ada.send(`GET /console${path}`)).outcome]).toEqual([path, "route_not_found"])
      }
      for (const [line, allowed] of [
        ["PUT /console/session", "POST, GET, HEAD, DELETE, OPTIONS"],
        ["DELETE /console/api-keys", "GET, HEAD, POST, OPTIONS"],
        ["POST /console/configuration", "GET, HEAD, OPTIONS"],
        ["PATCH /console/api/sites", "GET, HEAD, POST, OPTIONS"]
      ] as const) {
        const { headers, outcome } = await ada.send(line)
        expect([line, outcome, headers.get("allow")]).toEqual([line, "method_not_allowed", allowed])
      }
    })

    it("serves the configuration without a login", async () => {
      expect((await setup.visitor().send("GET /console/configuration")).json).toEqual({
        login: { password: true, oidc: null },
        map: { tileUrl: null, attribution: null },
        uploads: { maximumFileBytes: 104_857_600, maximumCoverBytes: 20_971_520 },
        api: { requestsPerMinute: null },
        accounts: { sessionHours: { life: 12, idle: 2 }, minimumPasswordCharacters: 12, maximumApiKeyDays: 3_650 },
        digest: null
      })
    })
  })
})
