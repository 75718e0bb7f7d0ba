import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CitusCluster, startCitus, withoutCitus } from "../../../packages/adapter-postgres/test/CitusCluster.ts"
import { MailRefused } from "../src/mail/SmtpTransport.ts"
import { word } from "./accounts/AccountsSetup.ts"
import { roundTrip } from "./archive/RoundTrip.ts"
import { run, runJson } from "./CommandInProcess.ts"
import type { Browser } from "./console/Browser.ts"
import { type ConsoleInstance, consoleInstance } from "./console/ConsoleInstance.ts"
import { digestSetup } from "./digest/DigestSetup.ts"
import { temporaryFolder, type Variables } from "./SolarSitesProcess.ts"

const refused = new MailRefused({
  ...{ code: "ECONNECTION", command: "CONN", responseCode: undefined, isPermanent: false, mayArrive: false }
})

describe.skipIf(withoutCitus)("the server on Citus", () => {
  let cluster: CitusCluster
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let variables: Variables
  let instance: ConsoleInstance

  beforeAll(async () => {
    cluster = await startCitus()
    folder = await temporaryFolder()
    variables = { DATABASE_URL: cluster.url, QUERY_TIMEOUT: "20s", DATA_DIR: folder.path }
    await runJson(["migrate", "--citus"], variables)
    instance = await consoleInstance(variables)
  })

  afterAll(async () => {
    await instance.close()
    await cluster.stop()
    await folder[Symbol.asyncDispose]()
  })

  it("has tables that a command distributes, once", async () => {
    const another = { ...variables, DATABASE_SCHEMA: "another" }
    const printed = await run(["migrate", "--citus", "--print"], another)
    expect(printed.stdout).toMatch(/create table "another"\.site.+create_distributed_table/s)
    expect(await runJson(["migrate", "--citus"], another)).toEqual({
      applied: expect.arrayContaining(["0001_initial", "console_0001_accounts"]),
      distributed: expect.arrayContaining(["api_key", "event", "organisation", "site"])
    })
    expect(await runJson(["migrate", "--citus"], another)).toEqual({ applied: [], distributed: [] })
    const embedded = await run(["migrate", "--citus"], { DATA_DIR: folder.path })
    expect(embedded).toMatchObject({ code: 1, stderr: expect.stringContaining("DATABASE_URL") })
  })

  it("ends sessions of users, by each way", async () => {
    const { loggedIn, newOrganisation, newUser, visitor } = instance
    const organisationId = await newOrganisation()
    const [owner, member] = [await newUser(organisationId, "owner"), await newUser(organisationId, "member")]
    const [ada, other] = [await loggedIn(owner), await loggedIn(owner)]
    const isLive = async (browser: Browser) => (await browser.send("GET /console/session")).status === 200
    expect((await ada.send("DELETE /console/sessions")).status).toBe(204)
    expect([await isLive(ada), await isLive(other)]).toEqual([true, false])
    const third = await loggedIn(owner)
    const { json: listed } = await ada.send("GET /console/sessions")
    const sessions: ReadonlyArray<{ readonly id: string; readonly current: boolean }> = Object(listed["data"])
    const id = sessions.find(({ current }) => !current)?.id
    expect((await ada.send(`DELETE /console/sessions/${id}`)).status).toBe(204)
    const grace = await loggedIn(member)
    expect((await ada.send(`DELETE /console/users/${member.id}/sessions`)).status).toBe(204)
    expect([await isLive(third), await isLive(grace)]).toEqual([false, false])

    const fourth = await loggedIn(owner)
    const passwords = { currentPassword: word, password: "another horse battery" }
    expect((await ada.send("PUT /console/account/password", { body: passwords })).status).toBe(204)
    expect([await isLive(ada), await isLive(fourth)]).toEqual([true, false])
    const { link } = Object(await runJson(["users", "reset-link", "--email", owner.email], variables))
    const reset = { token: String(link).split("#")[1], password: "a third horse battery" }
    expect((await visitor().send("POST /console/password-resets/complete", { body: reset })).status).toBe(200)
    expect(await isLive(ada)).toBe(false)
    await ada.logIn({ email: owner.email, password: reset.password })
    expect((await ada.send("DELETE /console/session")).status).toBe(204)
    expect(await isLive(ada)).toBe(false)
  })

  it("exports an organisation, deletes it, and imports the same", async () => {
    const [before, after] = await roundTrip(variables, folder.path)
    expect(after).toEqual(before)
  })

  it("sends a digest once, also after a failure", async () => {
    const setup = digestSetup(variables)
    const { advance, moveTo, ownerInNeed, sentTo, server, started } = setup
    const { user } = await ownerInNeed()
    moveTo(0, "06:00")
    server.answer = () => Effect.fail(refused)
    const turns = [await started(), await started()]
    for (const turn of turns) await turn()
    server.answer = () => Effect.void
    for (const minutes of [1, 2, 3]) {
      advance(`${minutes} minutes`)
      await Promise.all(turns.map((turn) => turn()))
    }
    expect(sentTo().filter((email) => email === user.email)).toHaveLength(1)
    await setup.close()
  })

  it("keeps users, keys and records of organisations, with their events", async () => {
    const { loggedIn, newOrganisation, newUser, visitor } = instance
    const [organisationId, other] = [await newOrganisation(), await newOrganisation()]
    const owner = await newUser(organisationId, "owner")
    const [ada, stranger] = [await loggedIn(owner), await loggedIn(await newUser(other, "owner"))]

    const { json: portfolios } = await ada.send("POST /console/api/portfolios", { body: [{ name: "South" }] })
    const portfolioId = Object(portfolios["data"])[0].id
    const body = { siteName: "Meadow", capacity: 3, unit: "MWp", portfolioId }
    const site = await ada.send("POST /console/api/sites", { body })
    expect(site.status).toBe(201)
    const siteId = site.json["id"]
    expect((await stranger.send(`GET /console/api/sites/${siteId}`)).outcome).toBe("site_not_found")
    const files = [{ filename: "a.pdf", mimeType: "application/pdf" }]
    const upload = { siteId, fileType: "documents", files }
    expect((await ada.send("POST /console/api/docs/bulk-upload-url", { body: upload })).status).toBe(200)

    const member = await newUser(organisationId, "admin")
    const grace = await loggedIn(member)
    const { json: key } = await grace.send("POST /console/api-keys", { body: { name: "Reporting" } })
    const me = async (secret: unknown) =>
      (await visitor().send("GET /api/me", { headers: { "x-api-key": String(secret) } })).outcome
    expect(await me(key["key"])).toBe(200)
    const { json: rotated } = await grace.send(`POST /console/api-keys/${key["id"]}/rotate`, { body: {} })
    expect(await me(rotated["key"])).toBe(200)
    const changed = await ada.send(`PUT /console/users/${member.id}`, { body: { role: "viewer" } })
    expect(changed.status).toBe(200)
    expect((await grace.send("POST /console/api/portfolios", { body: [{ name: "x" }] })).outcome).toBe("scope_missing")
    expect((await ada.send(`DELETE /console/users/${member.id}`)).status).toBe(204)
    expect((await grace.send("GET /console/session")).outcome).toBe("session_missing")
    expect(await me(rotated["key"])).toBe("api_key_invalid")
    expect((await ada.send(`DELETE /console/api/sites/${siteId}`)).status).toBe(204)

    const { json: log } = await ada.send("GET /console/api/events?limit=100")
    const events: ReadonlyArray<{ readonly type: string; readonly sequence: number }> = Object(log["data"])
    const types = events.map(({ type }) => type)
    expect(new Set(types)).toEqual(
      new Set([
        ...["user.created", "user.logged_in", "user.updated", "user.deleted"],
        ...["api_key.created", "api_key.rotated", "api_key.deleted"],
        ...["portfolio.created", "site.created", "site.deleted", "document.requested", "document.deleted"]
      ])
    )
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))

    expect(await runJson(["organisations", "deactivate", organisationId], variables)).toMatchObject({
      status: "inactive"
    })
    expect((await ada.send("GET /console/session")).outcome).toBe("session_missing")
    const deletion = ["organisations", "delete", organisationId, "--confirm", "Test"]
    expect(await runJson(deletion, variables)).toMatchObject({ sites: 0, portfolios: 1, users: 1 })
    expect((await stranger.send("GET /console/session")).status).toBe(200)
  })
})
