import { hash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { withoutPostgres } from "../../ExternalDatabase.ts"
import { type OpenIdSetup, openIdSetup, outcomeOf } from "./OpenIdSetup.ts"

describe.skipIf(withoutPostgres)("a server without passwords, with roles by a claim", () => {
  let setup: OpenIdSetup

  beforeAll(async () => {
    setup = await openIdSetup({
      PASSWORD_LOGIN: "false",
      RATE_LIMIT_PER_MINUTE: "600",
      TRUSTED_PROXIES: "127.0.0.1",
      OIDC_CLIENT_SECRET: "",
      OIDC_ROLE_CLAIM: "groups",
      OIDC_ROLE_MAP: "solar-owners=owner,solar-admins=admin,solar-staff=member"
    })
  })

  afterAll(() => setup.close())

  const roleOf = async (name: string, groups: ReadonlyArray<string>) => {
    const browser = setup.visitor()
    const claims = { ...setup.claimsOf(name), groups }
    expect(outcomeOf(await setup.logIn({ claims }, browser))).toBe(200)
    const { json } = await browser.send("GET /console/session")
    return { browser, role: Object(json["user"]).role, scopes: json["scopes"] }
  }

  it("sets the role at each login, and ends with it what older sessions may do", async () => {
    const first = await roleOf("Ada", ["solar-staff", "solar-admins", "others"])
    expect(first.role).toBe("admin")
    const key = { body: { name: "Test" } }
    expect((await first.browser.send("POST /console/api-keys", key)).status).toBe(201)
    expect((await roleOf("Ada", ["others"])).role).toBe("viewer")
    expect((await first.browser.send("POST /console/api-keys", key)).outcome).toBe("role_insufficient")
    const { text } = await first.browser.send("GET /console/api/events?type=user.updated")
    expect(text).toContain('"role":{"from":"admin","to":"viewer"}')
  })

  it("keeps the role of the last owner", async () => {
    const { logIn, owner, people, organisationId } = setup
    using logged = vi.spyOn(console, "error").mockImplementation(() => {})
    await people.setLoginDomains(organisationId, setup.domain, "example.com")
    const claims = { sub: "olga", email: owner.email, email_verified: true, groups: [] }
    const browser = setup.visitor()
    expect(outcomeOf(await logIn({ claims }, browser))).toBe(200)
    expect((await browser.send("GET /console/session")).json["user"]).toMatchObject({ id: owner.id, role: "owner" })
    await vi.waitFor(() => expect(logged.mock.calls.join()).toContain("last owner keeps its role"), 100_000)
    expect((await roleOf("Otto", ["solar-owners"])).role).toBe("owner")
    expect(outcomeOf(await logIn({ claims }, browser))).toBe(200)
    expect((await browser.send("GET /console/session")).json["user"]).toMatchObject({ id: owner.id, role: "viewer" })
  })

  it("refuses passwords, right or wrong, and tells the login page", async () => {
    const { owner, visitor } = setup
    for (const password of [owner.password, "wrong"]) {
      const { outcome, status } = await visitor().send("POST /console/session", {
        body: { email: owner.email, password }
      })
      expect([status, outcome]).toEqual([403, "password_login_off"])
    }
    const [token, password] = ["A".repeat(43), "another horse battery"]
    for (const [path, body, outcome] of [
      ["invitations/accept", { token, password, name: "Eve" }, "password_login_off"],
      ["password-resets/complete", { token, password }, "password_login_off"],
      ["password-resets", { email: owner.email }, 202]
    ] as const) {
      const received = await visitor().send(`POST /console/${path}`, { body })
      expect([path, received.outcome]).toEqual([path, outcome])
    }
    expect((await visitor().send("GET /console/configuration")).json["login"]).toEqual({
      password: false,
      oidc: { name: null }
    })
  })

  it("refuses invitations before their body is read, and the role before them", async () => {
    const { browser } = await roleOf("Anna", ["solar-admins"])
    const { browser: viewer } = await roleOf("Vera", [])
    const id = "0190a5c0-0000-7000-8000-000000000000"
    for (const line of ["POST /console/invitations", `POST /console/invitations/${id}/resend`]) {
      const body = { email: "nobody" }
      expect((await browser.send(line, { body })).outcome).toBe("password_login_off")
      expect((await viewer.send(line, { body })).outcome).toBe("role_insufficient")
    }
    expect((await browser.send(`DELETE /console/invitations/${id}`)).outcome).toBe("invitation_not_found")
  })

  it("lets a network begin 300 logins in 10 minutes", async () => {
    const headers = { "x-forwarded-for": "192.0.2.1" }
    const starts: Array<string | number> = []
    while (starts.length < 325) {
      const batch = Array.from({ length: 25 }, () => setup.visitor().send("GET /console/oidc/start", { headers }))
      starts.push(...(await Promise.all(batch)).map(({ outcome }) => outcome))
    }
    expect(new Set(starts)).toEqual(new Set([302, "rate_limited"]))
    expect(starts.slice(0, 275).every((outcome) => outcome === 302)).toBe(true)
  })

  it("lets a network come back 300 times in 10 minutes, with a made-up login too", async () => {
    const token = "A".repeat(43)
    const state = hash("sha256", `state:${token}`, "base64url")
    const headers = { cookie: `__Host-solar_oidc=${token}`, "x-forwarded-for": "198.51.100.1" }
    const returns: Array<string | number> = []
    while (returns.length < 325) {
      const line = `GET /console/oidc/callback?code=x&state=${state}`
      const batch = Array.from({ length: 25 }, () => setup.visitor().send(line, { headers }))
      returns.push(...(await Promise.all(batch)).map(outcomeOf))
    }
    expect(new Set(returns)).toEqual(new Set(["oidc_expired", "rate_limited"]))
    expect(returns.slice(0, 275).every((outcome) => outcome === "oidc_expired")).toBe(true)
  })
})
