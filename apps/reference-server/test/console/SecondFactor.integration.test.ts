import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { User } from "../../src/accounts/people/User.ts"
import { word as password } from "../accounts/AccountsSetup.ts"
import { authenticator } from "../accounts/second-factor/Authenticator.ts"
import { type MailServer, mailServer } from "../mail/MailServer.ts"
import { migratedAt } from "../Prepared.ts"
import { temporaryFolder } from "../SolarSitesProcess.ts"
import type { Browser } from "./Browser.ts"
import { type ConsoleInstance, consoleInstance } from "./ConsoleInstance.ts"

const path = "/console/account/second-factor"

describe("the second factor of an account", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let mails: MailServer
  let instance: ConsoleInstance
  let ada: User

  beforeAll(async () => {
    folder = await temporaryFolder()
    mails = await mailServer()
    instance = await consoleInstance({
      ...(await migratedAt(folder.path)),
      SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      MAIL_FROM: "solar@example.com"
    })
    ada = await instance.newUser(await instance.newOrganisation(), "owner")
  })

  afterAll(async () => {
    await instance.close()
    await mails.close()
    await folder[Symbol.asyncDispose]()
  })

  /** Begins the set-up and returns the code after so many steps. */
  const begin = async (browser: Browser) => {
    const { json } = await browser.send(`POST ${path}`, { body: { password } })
    expect(json).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: expect.stringMatching(/^otpauth:\/\/totp\/Solar%20Sites:/)
    })
    const code = authenticator(String(json["secret"]))
    return (ahead = 0) => code(Date.now(), ahead)
  }

  /** A browser of the user, who has an active factor. */
  const enabled = async (user: User) => {
    const browser = await instance.loggedIn(user)
    const codeOf = await begin(browser)
    expect((await browser.send(`PUT ${path}`, { body: { code: codeOf() } })).status).toBe(200)
    return browser
  }

  it("is set up with the password and a code, used at the login, renewed and switched off", async () => {
    const { loggedIn, visitor } = instance
    const [browser, other] = [await loggedIn(ada), await loggedIn(ada)]
    const none = { enabled: false, enabledAt: null, recoveryCodesLeft: 0, required: false, hasPassword: true }
    expect((await browser.send(`GET ${path}`)).json).toEqual(none)
    expect((await browser.send(`PUT ${path}`, { body: { code: "123456" } })).outcome).toBe("second_factor_not_enabled")

    const codeOf = await begin(browser)
    expect((await browser.send(`GET ${path}`)).json).toEqual(none)
    const enabled = await browser.send(`PUT ${path}`, { body: { code: codeOf() } })
    const recoveryCodes = enabled.json["recoveryCodes"] as ReadonlyArray<string>
    expect(enabled.json).toEqual({
      enabled: true,
      enabledAt: expect.stringMatching(/^\d{4}-.*Z$/),
      recoveryCodesLeft: 10,
      required: false,
      hasPassword: true,
      recoveryCodes: expect.any(Array)
    })
    expect(enabled.headers.get("cache-control")).toBe("no-store")
    expect((await other.send("GET /console/session")).outcome).toBe("session_missing")
    expect((await browser.send(`POST ${path}`, { body: { password } })).outcome).toBe("second_factor_enabled")

    const again = visitor()
    const { email } = ada
    const logIn = (code?: string | null) => again.send("POST /console/session", { body: { email, password, code } })
    for (const [code, outcome] of [
      [undefined, "second_factor_required"],
      [null, "second_factor_required"],
      ["0", "second_factor_wrong"],
      // The code of the next step: that of this one is used.
      [codeOf(1), 200]
    ] as const) {
      const received = await logIn(code)
      expect([code, received.outcome]).toEqual([code, outcome])
      expect(received.headers.getSetCookie()).toHaveLength(received.status === 200 ? 1 : 0)
      if (received.status === 401) expect(received.headers.get("www-authenticate")).toBe('Session realm="console"')
    }
    expect(
      (await browser.send("POST /console/session", { body: { email, password: "wrong", code: "0" } })).outcome
    ).toBe("login_failed")

    const renewed = await again.send(`POST ${path}/recovery-codes`, { body: { code: recoveryCodes[0] } })
    expect(renewed.json["recoveryCodes"]).toHaveLength(10)
    const [fresh] = renewed.json["recoveryCodes"] as ReadonlyArray<string>
    for (const [body, outcome] of [
      [{ password, code: recoveryCodes[1] }, "second_factor_wrong"],
      [{ password: "not the right words", code: fresh }, "password_wrong"],
      [{ code: fresh }, "password_wrong"],
      [{ password, code: fresh }, 204],
      [{ password, code: fresh }, "second_factor_not_enabled"]
    ] as const) {
      expect([body, (await again.send(`DELETE ${path}`, { body })).outcome]).toEqual([body, outcome])
    }
    expect((await again.send(`GET ${path}`)).json).toEqual(none)
    expect((await visitor().send("POST /console/session", { body: { email, password } })).status).toBe(200)
  })

  it("refuses wrong input, other origins and requests without a session", async () => {
    const browser = await instance.loggedIn(ada)
    for (const [line, body, outcome] of [
      [`POST ${path}`, { password: "not the right words" }, "password_wrong"],
      [`POST ${path}`, {}, "password_wrong"],
      [`POST ${path}`, { password: 1 }, "validation_failed"],
      [`PUT ${path}`, {}, "validation_failed"],
      [`PUT ${path}`, { code: "1", more: 1 }, "validation_failed"],
      [`POST ${path}/recovery-codes`, { code: "123456" }, "second_factor_not_enabled"]
    ] as const) {
      expect([line, body, (await browser.send(line, { body })).outcome]).toEqual([line, body, outcome])
      const headers = { origin: "https://elsewhere.example" }
      expect((await browser.send(line, { body, headers })).outcome).toBe("origin_not_allowed")
      expect((await instance.visitor().send(line, { body })).outcome).toBe("session_missing")
    }
  })

  it("is removed by others only", async () => {
    const bob = await instance.newUser(await instance.newOrganisation(), "owner")
    const browser = await instance.loggedIn(ada)
    const list = (await browser.send("GET /console/users")).json["data"]
    expect(list).toEqual([expect.objectContaining({ id: ada.id, secondFactor: false })])
    for (const [id, outcome] of [
      [ada.id, "own_second_factor"],
      [bob.id, "user_not_found"],
      ["nobody", "user_not_found"]
    ] as const) {
      expect([id, (await browser.send(`DELETE /console/users/${id}/second-factor`)).outcome]).toEqual([id, outcome])
    }
  })

  it("can be demanded by the organisation, whose users set one up before all else", async () => {
    const bob = await instance.newUser(await instance.newOrganisation(), "owner")
    const browser = await instance.loggedIn(bob)
    const { key } = (await browser.send("POST /console/api-keys", { body: { name: "Test" } })).json
    const organisation = { id: bob.organisationId, name: "Test", requireSecondFactor: false, loginDomains: [] }
    expect((await browser.send("GET /console/organisation")).json).toEqual(organisation)
    expect((await browser.send("PUT /console/organisation", { body: {} })).outcome).toBe("validation_failed")
    const body = { requireSecondFactor: true }
    expect((await browser.send("PUT /console/organisation", { body })).json).toEqual({ ...organisation, ...body })

    expect((await browser.send("GET /console/session")).json["mustSetUpSecondFactor"]).toBe(true)
    for (const line of [
      "GET /console/api/sites",
      "GET /console/api/me",
      "POST /console/api/sites",
      "GET /console/api-keys",
      "GET /console/organisation",
      "PUT /console/organisation"
    ]) {
      expect([line, (await browser.send(line)).outcome]).toEqual([line, "second_factor_setup_required"])
    }
    const headers = { "x-api-key": String(key) }
    expect((await browser.send("GET /api/me", { headers })).status).toBe(200)

    const codeOf = await begin(browser)
    const enabled = await browser.send(`PUT ${path}`, { body: { code: codeOf() } })
    const [code] = enabled.json["recoveryCodes"] as ReadonlyArray<string>
    expect((await browser.send("GET /console/session")).json["mustSetUpSecondFactor"]).toBe(false)
    expect((await browser.send("GET /console/api/sites")).status).toBe(200)
    expect((await browser.send(`DELETE ${path}`, { body: { password, code } })).outcome).toBe("second_factor_demanded")
    expect((await browser.send(`GET ${path}`)).json).toMatchObject({ required: true, recoveryCodesLeft: 10 })
    expect((await instance.loggedIn(ada).then(({ send }) => send("GET /console/api/sites"))).status).toBe(200)
  })

  it("is removed by an owner or admin who manages the user, who is told by mail", async () => {
    const organisationId = await instance.newOrganisation()
    const owner = await instance.newUser(organisationId, "owner")
    const member = await instance.newUser(organisationId, "member")
    const admin = await instance.loggedIn(await instance.newUser(organisationId, "admin"))
    const viewer = await instance.loggedIn(await instance.newUser(organisationId, "viewer"))
    const browser = await enabled(member)
    await enabled(owner)
    const { headers, text } = await mails.mailTo(member.email)
    expect(headers.get("subject")).toBe("The second factor of your account on Solar Sites was changed")
    expect(text).toContain("switched on")

    const users = (await admin.send("GET /console/users")).json["data"]
    expect(users).toContainEqual(expect.objectContaining({ id: member.id, secondFactor: true }))
    const remove = (from: typeof admin, { id }: User) => from.send(`DELETE /console/users/${id}/second-factor`)
    expect((await remove(viewer, member)).outcome).toBe("role_insufficient")
    expect((await remove(admin, owner)).outcome).toBe("role_insufficient")
    expect((await browser.send("GET /console/session")).status).toBe(200)
    expect((await remove(admin, member)).status).toBe(204)
    expect((await remove(admin, member)).outcome).toBe("second_factor_not_enabled")
    expect((await browser.send("GET /console/session")).outcome).toBe("session_missing")
    expect((await mails.mailTo(member.email, 2)).text).toContain("has removed the second factor")
    const again = await instance.loggedIn(member)
    expect((await again.send(`GET ${path}`)).json).toMatchObject({ enabled: false })
  })

  it("can be demanded by owners and admins only", async () => {
    const organisationId = await instance.newOrganisation()
    const owner = await instance.newUser(organisationId, "owner")
    const viewer = await instance.loggedIn(await instance.newUser(organisationId, "viewer"))
    const body = { requireSecondFactor: true }
    expect((await viewer.send("PUT /console/organisation", { body })).outcome).toBe("role_insufficient")
    expect((await viewer.send("GET /console/organisation")).json).toMatchObject({ requireSecondFactor: false })
    expect((await (await enabled(owner)).send("PUT /console/organisation", { body })).status).toBe(200)
    expect((await viewer.send("GET /console/organisation")).outcome).toBe("second_factor_setup_required")
  })
})
