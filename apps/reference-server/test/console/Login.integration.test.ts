import { apiScopes } from "@solar-sites/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ConsoleSetup, consoleDatabases, consoleSetup } from "./ConsoleSetup.ts"

const { each, remove } = consoleDatabases()

afterAll(remove)

describe.each(each)("the login on $name", ({ isMissing, variables }) => {
  describe.skipIf(isMissing)("that is available", () => {
    let setup: ConsoleSetup

    beforeAll(async () => {
      setup = await consoleSetup(await variables(), { RATE_LIMIT_PER_MINUTE: "0" })
    })

    afterAll(() => setup.close())

    it("creates a session for a valid password, in an HttpOnly cookie", async () => {
      const { ada } = setup
      const browser = setup.visitor()
      const { headers, json } = await browser.logIn(ada)
      const session = {
        user: { id: ada.id, email: ada.email, name: "Ada", role: "owner", portfolioIds: null },
        organisation: { id: ada.organisationId, name: "Test", status: "active" },
        mustSetUpSecondFactor: false,
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        scopes: apiScopes
      }
      expect(json).toEqual(session)
      const hours = (Date.parse(String(json["expiresAt"])) - Date.now()) / 3_600_000
      expect([hours > 11.9, hours <= 12.1]).toEqual([true, true])
      expect(headers.getSetCookie()).toEqual([
        expect.stringMatching(/^solar_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
      ])
      expect(headers.get("cache-control")).toBe("no-store")
      const again = await browser.send("GET /console/session")
      expect([again.status, again.json]).toEqual([200, session])
      expect(again.headers.getSetCookie()).toEqual([])
    })

    it("ends with a logout, which is idempotent and clears the cookie", async () => {
      const browser = await setup.loggedIn(setup.ada)
      const cookie = browser.cookie()
      const { headers, status, text } = await browser.send("DELETE /console/session")
      expect([status, text]).toEqual([204, ""])
      expect(headers.getSetCookie()).toEqual(["solar_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0"])
      expect(browser.cookie()).toBe("")
      expect((await browser.send("GET /console/session", { headers: { cookie } })).outcome).toBe("session_missing")
      expect((await browser.send("DELETE /console/session", { headers: { cookie } })).status).toBe(204)
      expect((await browser.send("DELETE /console/session")).status).toBe(204)
    })

    it("ignores a token of the client, and ends the replaced session", async () => {
      const browser = await setup.loggedIn(setup.ada)
      const before = browser.cookie()
      const brought = `solar_session=${"A".repeat(43)}`
      for (const cookie of [before, brought]) {
        const { ada } = setup
        const body = { email: ada.email, password: ada.password }
        expect((await browser.send("POST /console/session", { body, headers: { cookie } })).status).toBe(200)
        expect([before, brought]).not.toContain(browser.cookie())
        expect((await browser.send("GET /console/session", { headers: { cookie } })).outcome).toBe("session_missing")
        expect((await browser.send("GET /console/session")).status).toBe(200)
      }
    })

    it("refuses a wrong password and an unknown e-mail address alike", async () => {
      const { ada } = setup
      const answers = []
      for (const body of [
        { email: ada.email, password: "not the right words" },
        { email: "nobody@example.com", password: "not the right words" },
        { email: "nobody@example.com", password: ada.password },
        { email: `${ada.email}\0`, password: ada.password },
        { email: "' or 1=1 --", password: "" },
        { email: ada.email, password: "x".repeat(5_000) },
        { email: ada.email, password: "\ud800" }
      ]) {
        const { headers, status, text } = await setup.visitor().send("POST /console/session", { body })
        const requestId = headers.get("x-request-id") ?? "none"
        const said = [...headers].filter(([name]) => !["date", "x-request-id"].includes(name))
        answers.push({ status, said, text: text.replace(requestId, "") })
      }
      expect(answers[0]).toMatchObject({ status: 401 })
      expect(JSON.parse(answers[0]?.text ?? "")).toMatchObject({ code: "login_failed" })
      expect(answers.flatMap(({ said }) => said.map(([name]) => name))).not.toContain("set-cookie")
      for (const answer of answers) expect(answer).toEqual(answers[0])
    })

    it("refuses invalid input with all its faults", async () => {
      const big = JSON.stringify({ email: "a@example.com", password: "x".repeat(17_000) })
      for (const [body, headers, outcome] of [
        ['{"email":"a","password":"b"}', { "content-type": "text/plain" }, "unsupported_media_type"],
        ['{"email":"a","password":"b"}', { "content-type": "" }, "unsupported_media_type"],
        ['{"email":"a","password":"b"}', { "content-encoding": "gzip" }, "unsupported_media_type"],
        ["email=a&password=b", { "content-type": "application/x-www-form-urlencoded" }, "unsupported_media_type"],
        [big, {}, "body_too_large"],
        ["", {}, "malformed_json"],
        ["{", {}, "malformed_json"],
        [`${"[".repeat(40)}${"]".repeat(40)}`, {}, "malformed_json"],
        ["[]", {}, "validation_failed"],
        ["null", {}, "validation_failed"],
        [{ email: "a@example.com" }, {}, "validation_failed"],
        [{ email: ["a@example.com"], password: { $ne: null } }, {}, "validation_failed"],
        [{ email: "a@example.com", password: "b", organisationId: "c" }, {}, "validation_failed"]
      ] as const) {
        const received = await setup.visitor().send("POST /console/session", { body, headers })
        expect([JSON.stringify(body).slice(0, 50), received.outcome]).toEqual([expect.anything(), outcome])
        expect(received.headers.getSetCookie()).toEqual([])
      }
    })

    it("refuses an invalid, a repeated and a renamed cookie", async () => {
      const browser = await setup.loggedIn(setup.ada)
      const cookie = browser.cookie()
      const token = cookie.split("=")[1] ?? ""
      for (const wrong of [
        `solar_session=${"A".repeat(43)}`,
        `solar_session=${token}x`,
        `solar_session="${token}"`,
        `solar_session=${token.slice(1)}`,
        `solar_session=' or '1'='1`,
        `${cookie}; ${cookie}`,
        `${cookie}; solar_session=x`,
        `__Host-solar_session=${token}`,
        `Solar_Session=${token}`,
        "solar_session=",
        "solar_session",
        ";=;"
      ]) {
        const { outcome } = await browser.send("GET /console/session", { headers: { cookie: wrong } })
        expect([wrong, outcome]).toEqual([wrong, "session_missing"])
      }
      const among = `theme=dark; ${cookie}; other=1`
      expect((await browser.send("GET /console/session", { headers: { cookie: among } })).status).toBe(200)
    })
  })
})
