import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { withoutPostgres } from "../../ExternalDatabase.ts"
import { serve, stop } from "../../SolarSitesProcess.ts"
import { type OpenIdSetup, openIdSetup, outcomeOf } from "./OpenIdSetup.ts"

describe.skipIf(withoutPostgres)("a login by OpenID Connect", () => {
  let setup: OpenIdSetup
  let logged: () => string

  beforeAll(async () => {
    setup = await openIdSetup({ OIDC_NAME: "Example" }, async (variables) => {
      const server = await serve(variables)
      logged = server.logged
      return { address: server.address, stop: async () => void (await stop(server)) }
    })
  })

  afterAll(() => setup.close())

  it("creates a user in the organisation of the domain, once", async () => {
    const { claimsOf, logIn, organisationId, visitor } = setup
    const claims = claimsOf("Ada")
    const browser = visitor()
    const { headers, status, text } = await logIn({ claims }, browser, "/sites?page=2#map")
    expect(status).toBe(200)
    expect(text).toContain('content="0;url=/sites?page=2#map"')
    expect(headers.get("referrer-policy")).toBe("no-referrer")
    expect(headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-solar_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
    ])
    const { json } = await browser.send("GET /console/session")
    const user = { id: expect.any(String), email: claims.email, name: "Ada", role: "viewer" }
    expect(json).toMatchObject({ user, organisation: { id: organisationId } })
    const again = visitor()
    await logIn({ claims: { ...claims, email: "other@example.org", email_verified: false } }, again)
    expect((await again.send("GET /console/session")).json["user"]).toEqual(json["user"])
    const events = await browser.send("GET /console/api/events?type=user.created")
    expect(events.text).toContain(claims.email)
    expect(events.text.split(claims.email).length).toBe(2)
  })

  it("begins with a cookie of its own, which the provider's redirect brings back", async () => {
    const { headers, status } = await setup.visitor().send("GET /console/oidc/start?returnTo=/sites")
    expect([status, headers.get("cache-control")]).toEqual([302, "no-store"])
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-solar_oidc=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/)
    ])
  })

  it("begins and ends by a navigation, not by an image or a frame of another page", async () => {
    for (const path of ["start", "callback"]) {
      const headers = { "sec-fetch-dest": "image" }
      expect((await setup.visitor().send(`GET /console/oidc/${path}`, { headers })).outcome).toBe("origin_not_allowed")
    }
  })

  it("creates one user for concurrent first logins", async () => {
    const { claimsOf, logIn, visitor } = setup
    const claims = claimsOf("Many")
    const browsers = Array.from({ length: 8 }, visitor)
    const answers = await Promise.all(browsers.map((browser) => logIn({ claims }, browser)))
    expect(answers.map(outcomeOf)).toEqual(answers.map(() => 200))
    const sessions = await Promise.all(browsers.map((browser) => browser.send("GET /console/session")))
    expect(new Set(sessions.map(({ json }) => JSON.stringify(json["user"]))).size).toBe(1)
  })

  it("replaces the session that the browser had", async () => {
    const { begin, claimsOf, finish, logIn, provider, visitor } = setup
    const browser = visitor()
    await logIn({ claims: claimsOf("Twice") }, browser)
    const before = browser.cookie()
    const { state, ...asked } = await begin(browser)
    const code = provider.grant({ state, ...asked }, { claims: claimsOf("Twice") })
    expect(outcomeOf(await finish(browser, { code, state }))).toBe(200)
    expect((await browser.send("GET /console/session")).status).toBe(200)
    const old = await visitor().send("GET /console/session", { headers: { cookie: before } })
    expect(old.outcome).toBe("session_missing")
  })

  it("links a user of the organisation by its verified address, for good, and takes its password", async () => {
    const { claimsOf, domain, logIn, organisationId, people, visitor } = setup
    const bob = await people.createUser(organisationId, "Bob", `Bob@${domain}`)
    const creator = visitor()
    await creator.logIn(bob)
    const claims = claimsOf("Bob")
    for (const email of [claims.email, "elsewhere@example.org"]) {
      const browser = visitor()
      expect(outcomeOf(await logIn({ claims: { ...claims, email } }, browser))).toBe(200)
      expect((await browser.send("GET /console/session")).json["user"]).toMatchObject({ id: bob.id, role: "owner" })
    }
    // The address may belong to another person now.
    expect(outcomeOf(await logIn({ claims: { ...claims, sub: "another" } }))).toBe("oidc_not_allowed")
    // Another person may have created the account.
    expect((await creator.send("GET /console/session")).outcome).toBe("session_missing")
    const { email, password } = bob
    const again = await visitor().send("POST /console/session", { body: { email, password } })
    expect(again.outcome).toBe("login_failed")
  })

  it("is refused without an organisation that allows the verified address", async () => {
    const { claimsOf, domain, logIn, people } = setup
    const elsewhere = await people.createOrganisation()
    const eve = await people.createUser(elsewhere, "Eve", `eve@${domain}`)
    const inactive = await people.createOrganisation()
    await people.createUser(inactive, "Ivan")
    await people.setLoginDomains(inactive, `inactive.${domain}`)
    await people.setStatus(inactive, "inactive")
    const empty = await people.createOrganisation()
    await people.setLoginDomains(empty, `empty.${domain}`)
    await people.createUser(setup.organisationId, "Kim", `kim@${domain}`)
    const info = { sub: claimsOf("New").sub }
    for (const claims of [
      { ...claimsOf("New"), email_verified: false },
      { ...claimsOf("New"), email_verified: undefined },
      { ...claimsOf("New"), xms_edov: true, email_verified: undefined },
      { ...claimsOf("New"), email: undefined },
      { ...claimsOf("New"), email: `new@${domain}@example.org` },
      claimsOf("New", "example.net"),
      claimsOf("New", `sub.${domain}`),
      claimsOf("New", `inactive.${domain}`),
      // Its first user has to be an owner.
      claimsOf("New", `empty.${domain}`),
      { ...claimsOf("New"), email: eve.email },
      // The Kelvin sign, which becomes a k in lower case.
      { ...claimsOf("New"), email: `\u212Aim@${domain}` }
    ]) {
      expect([claims.email, outcomeOf(await logIn({ claims, info }))]).toEqual([claims.email, "oidc_not_allowed"])
    }
  })

  it("is refused to a deleted user, until one with the same address is created", async () => {
    const { claimsOf, domain, logIn, organisationId, people, visitor } = setup
    const claims = claimsOf("Gone")
    const browser = visitor()
    await logIn({ claims }, browser)
    const { json } = await browser.send("GET /console/session")
    await people.deleteUser(Object(json["user"]).id)
    expect(outcomeOf(await logIn({ claims }))).toBe("oidc_not_allowed")
    const created = await people.createUser(organisationId, "Gone", `gone@${domain}`)
    expect(outcomeOf(await logIn({ claims }, browser))).toBe(200)
    expect((await browser.send("GET /console/session")).json["user"]).toMatchObject({ id: created.id })
  })

  it("gives no password: the user fails a login by password like an unknown one", async () => {
    const claims = setup.claimsOf("Nopass")
    await setup.logIn({ claims })
    for (const password of ["", "correct horse battery"]) {
      const body = { email: claims.email, password }
      expect((await setup.visitor().send("POST /console/session", { body })).outcome).toBe("login_failed")
    }
  })

  it("returns to paths of the console only", async () => {
    const { claimsOf, logIn, visitor } = setup
    for (const [returnTo, path] of [
      ["/sites/1?a=b&c=d#e", "/sites/1?a=b&amp;c=d#e"],
      ["https://evil.example.com/", "/"],
      ["//evil.example.com/", "/"],
      ["/\\evil.example.com/", "/"],
      ["/\t/evil.example.com/", "/"],
      ["/..//evil.example.com/", "/"],
      ["/.//evil.example.com", "/"],
      ["javascript:alert(1)", "/"],
      ["sites", "/"],
      ["", "/"],
      ["/console/oidc/start", "/"],
      ['/"><script>', "/%22%3E%3Cscript%3E"],
      [`/${"x".repeat(3_000)}`, "/"]
    ]) {
      const { text } = await logIn({ claims: claimsOf("Ada") }, visitor(), returnTo)
      expect([returnTo, /url=([^"]*)"/.exec(text)?.[1]]).toEqual([returnTo, path])
    }
  })

  it("is offered by the configuration beside passwords", async () => {
    const { json } = await setup.visitor().send("GET /console/configuration")
    expect(json["login"]).toEqual({ password: true, oidc: { name: "Example" } })
    expect((await setup.visitor().logIn(setup.owner)).status).toBe(200)
  })

  it("is bound to the browser, and works once", async () => {
    const { begin, claimsOf, finish, provider, visitor } = setup
    const claims = claimsOf("Ada")
    const browser = visitor()
    const asked = await begin(browser)
    const { state } = asked
    const code = provider.grant(asked, { claims })
    const cookie = browser.cookie()
    expect(outcomeOf(await finish(visitor(), { code, state }))).toBe("oidc_expired")
    const other = visitor()
    await begin(other)
    expect(outcomeOf(await finish(other, { code, state }))).toBe("oidc_expired")
    const forged = { headers: { cookie: `__Host-solar_oidc=${"A".repeat(43)}` } }
    const guessed = await visitor().send(`GET /console/oidc/callback?code=${code}&state=${state}`, forged)
    expect(outcomeOf(guessed)).toBe("oidc_expired")
    // A callback with another state, as another site could cause it, leaves the login pending.
    expect(outcomeOf(await finish(browser, { code, state: "other" }))).toBe("oidc_expired")
    expect(outcomeOf(await finish(browser, { code }))).toBe("oidc_expired")
    expect(outcomeOf(await finish(browser, { code, state }))).toBe(200)
    const query = new URLSearchParams({ code: provider.grant(asked, { claims }), state })
    const replayed = await visitor().send(`GET /console/oidc/callback?${query}`, { headers: { cookie } })
    expect(outcomeOf(replayed)).toBe("oidc_expired")
    expect(replayed.headers.getSetCookie()).toEqual([])
  })

  it("lets one of concurrent callbacks in", async () => {
    const { begin, claimsOf, provider, visitor } = setup
    const browser = visitor()
    const asked = await begin(browser)
    const query = new URLSearchParams({ code: provider.grant(asked, { claims: claimsOf("Ada") }), state: asked.state })
    const headers = { cookie: browser.cookie() }
    const callback = () => visitor().send(`GET /console/oidc/callback?${query}`, { headers })
    const answers = await Promise.all(Array.from({ length: 8 }, callback))
    expect(answers.map(outcomeOf).filter((outcome) => outcome === 200).length).toBe(1)
  })

  it("tells the login page why it failed, and puts no code or token into the log", async () => {
    const { begin, claimsOf, finish, provider, visitor } = setup
    const browser = visitor()
    const asked = await begin(browser)
    const { state } = asked
    expect(outcomeOf(await finish(browser, { error: "access_denied", error_description: "leaked", state }))).toBe(
      "oidc_denied"
    )
    const wrong = await setup.logIn({ claims: { ...claimsOf("Ada"), nonce: "wrong" } }, browser)
    expect([outcomeOf(wrong), wrong.status]).toEqual(["oidc_failed", 302])
    expect(wrong.headers.getSetCookie()).toEqual([])
    const again = await begin(browser)
    const code = provider.grant(again, { claims: claimsOf("Ada"), status: 503 })
    const broken = await finish(browser, { code, state: again.state })
    expect([outcomeOf(broken), broken.status]).toEqual(["oidc_unavailable", 503])
    const { text } = await visitor().send("GET /metrics")
    expect(text).toMatch(/^solar_sites_console_logins_total\{outcome="failed"\} [1-9]/m)
    await vi.waitFor(() => expect(logged()).toContain("login by OpenID Connect refused"), 100_000)
    expect(logged()).not.toMatch(new RegExp(`${code}|${asked.state}|${asked.nonce}|eyJ|leaked|@${setup.domain}`))
  })

  it("answers 503 while the provider is down, and keeps passwords working", async () => {
    const { begin, finish, provider, visitor } = setup
    const browser = visitor()
    const { state } = await begin(browser)
    await provider.close()
    onTestFinished(provider.open)
    const { headers, status, text } = await finish(browser, { code: "code", state })
    expect([status, headers.get("retry-after")]).toEqual([503, "10"])
    expect(text).toContain('href="/login?problem=oidc_unavailable"')
    expect((await visitor().logIn(setup.owner)).status).toBe(200)
  })
})
