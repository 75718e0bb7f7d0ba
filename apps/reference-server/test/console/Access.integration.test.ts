import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { type Login, operator } from "../Operator.ts"
import { migratedAt } from "../Prepared.ts"
import { type ServerInProcess, serve } from "../ServerInProcess.ts"
import { temporaryFolder, type Variables } from "../SolarSitesProcess.ts"
import { browserOf } from "./Browser.ts"

const schemas = ownSchemas()
const wrong = "not the right words"
/** Endpoints without a session that take a token. */
const openPaths = ["invitations/look", "invitations/accept", "password-resets/complete", "email-confirmations"]
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let embedded: Variables
let logins: ReadonlyArray<Login>

beforeAll(async () => {
  folder = await temporaryFolder()
  embedded = { ...(await migratedAt(join(folder.path, "data"))), CONSOLE: "true" }
  const people = operator(embedded)
  const organisationId = await people.createOrganisation()
  logins = await Promise.all(["Ada", "Bob", "Eve", "Olga"].map((name) => people.createUser(organisationId, name)))
  await people.close()
})

afterAll(async () => {
  await schemas.drop()
  await folder[Symbol.asyncDispose]()
})

describe.skipIf(withoutPostgres)("sessions on two servers", () => {
  let servers: ReadonlyArray<ServerInProcess>
  let people: ReturnType<typeof operator>

  beforeAll(async () => {
    const variables: Variables = { ...schemas.next(), DATA_DIR: folder.path, CONSOLE: "true" }
    people = operator(variables, "apply")
    await people.createOrganisation()
    servers = await Promise.all([serve(variables), serve(variables)])
  })

  afterAll(async () => {
    await people.close()
    await Promise.all(servers.map(({ stop }) => stop()))
  })

  it("end on both within a second of the end of user, password or organisation", async () => {
    for (const end of [people.deleteUser, (id: string) => people.setPassword(id, "another word entirely"), undefined]) {
      const organisationId = await people.createOrganisation()
      const login = await people.createUser(organisationId)
      const browsers = servers.map(({ address }) => browserOf(address))
      for (const browser of browsers) await browser.logIn(login)
      const outcomes = () => Promise.all(browsers.map(async ({ send }) => (await send("GET /console/api/me")).outcome))
      expect(await outcomes()).toEqual([200, 200])
      await (end === undefined ? people.setStatus(organisationId, "inactive") : end(login.id))
      expect(await outcomes()).toEqual(["session_missing", "session_missing"])
      const { email, password } = login
      const refused = await browsers[0]?.send("POST /console/session", { body: { email, password } })
      expect(refused?.outcome).toBe("login_failed")
    }
  })

  it("are valid on both, and end on both with a logout", async () => {
    const login = await people.createUser(await people.createOrganisation())
    const [one, other] = servers.map(({ address }) => browserOf(address))
    await one?.logIn(login)
    const headers = { cookie: one?.cookie() ?? "" }
    expect((await other?.send("GET /console/session", { headers }))?.status).toBe(200)
    await one?.send("DELETE /console/session")
    expect((await other?.send("GET /console/session", { headers }))?.outcome).toBe("session_missing")
  })
})

describe("the limits of the console", () => {
  let server: ServerInProcess

  const ask = (address: string, line: string, headers: Record<string, string>, body?: object | string) =>
    browserOf(server.address).send(line, { headers: { "x-forwarded-for": address, ...headers }, body })

  const from = (address: string, email: string, password = wrong) =>
    browserOf(server.address).send("POST /console/session", {
      body: { email, password },
      headers: { "x-forwarded-for": address }
    })

  beforeAll(async () => {
    server = await serve({ ...embedded, TRUSTED_PROXIES: "127.0.0.0/8", RATE_LIMIT_PER_MINUTE: "30" })
  })

  afterAll(() => server.stop())

  it("refuse an account after ten failures from a network, existing or not, and no other", async () => {
    const [ada, bob] = logins
    for (const email of [ada?.email ?? "", "nobody@example.com"]) {
      const outcomes = []
      for (let index = 0; index < 11; index++) outcomes.push((await from(`2001:db8:1:2::${index}`, email)).outcome)
      expect([email, ...outcomes]).toEqual([email, ...Array(10).fill("login_failed"), "rate_limited"])
    }
    const stopped = await from("2001:db8:1:2:3::4", ada?.email.toUpperCase() ?? "", ada?.password)
    expect(stopped.outcome).toBe("rate_limited")
    expect(Number(stopped.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(stopped.headers.getSetCookie()).toEqual([])
    expect((await from("2001:db8:1:2::1", bob?.email ?? "", bob?.password)).status).toBe(200)
    expect((await from("2001:db8:1:3::1", ada?.email ?? "", ada?.password)).status).toBe(200)
  })

  it("refuse an address after sixty failures, with any accounts", async () => {
    const began = performance.now()
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, index) => from("203.0.113.9", `first${index}@example.com`))
    )
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(["login_failed"]))
    // One more failure is allowed every 15 s: a slow machine needs more attempts.
    let [failures, wait] = [outcomes.length, 0]
    while (wait <= 5) {
      const { headers, outcome } = await from("203.0.113.9", `second${failures}@example.com`)
      if (outcome === "login_failed") failures += 1
      wait = Number(headers.get("retry-after") ?? 0)
    }
    expect(failures).toBeGreaterThanOrEqual(60)
    expect(failures).toBeLessThanOrEqual(60 + Math.ceil((performance.now() - began) / 15_000))
    const [, bob] = logins
    expect((await from("203.0.113.9", bob?.email ?? "", bob?.password)).outcome).toBe("rate_limited")
    expect((await from("203.0.113.10", bob?.email ?? "", bob?.password)).status).toBe(200)
    const unread = { headers: { "x-forwarded-for": "203.0.113.9" }, body: "{" }
    expect((await browserOf(server.address).send("POST /console/session", unread)).outcome).toBe("rate_limited")
  })

  it("refuse an address after 300 invalid sessions, keys and links in a minute, and no other", async () => {
    const token = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")
    const guess = (path: string, more: object = {}) =>
      ask("198.51.100.7", `POST /console/${path}`, {}, { token: token(), ...more })
    const cookie = () => `solar_session=${token()}`
    const attempts = [
      () => ask("198.51.100.7", "GET /console/session", { cookie: cookie() }),
      () => ask("198.51.100.7", "GET /console/api/sites", { cookie: cookie() }),
      () => ask("198.51.100.7", "GET /console/api-keys", { cookie: "solar_session=nonsense" }),
      () => ask("198.51.100.7", "DELETE /console/session", { cookie: cookie() }),
      () => ask("198.51.100.7", "GET /api/sites", { "x-api-key": "nonsense" }),
      () => guess("invitations/look"),
      () => guess("invitations/accept", { name: "Eve", password: wrong }),
      () => guess("password-resets/complete", { password: wrong }),
      () => guess("email-confirmations")
    ]
    const began = performance.now()
    let [failures, outcome] = [0, ""]
    while (outcome !== "rate_limited" && failures < 1_000) {
      const answers = await Promise.all(attempts.map((attempt) => attempt()))
      outcome = String(answers.find((answer) => answer.outcome === "rate_limited")?.outcome)
      failures += answers.filter((answer) => answer.outcome !== "rate_limited").length
    }
    expect(failures).toBeGreaterThanOrEqual(300)
    // Five more are allowed every second.
    expect(failures).toBeLessThanOrEqual(305 + ((performance.now() - began) / 1_000) * 5)
    // No body is read from then on. A permit returns after 200 ms, so that a slow machine needs another try.
    for (const path of openPaths) {
      let unread: string | number = ""
      for (let tries = 0; unread !== "rate_limited" && tries < 50; tries += 1) {
        while ((await guess("invitations/look")).outcome !== "rate_limited");
        unread = (await ask("198.51.100.7", `POST /console/${path}`, {}, "{")).outcome
      }
      expect([path, unread]).toEqual([path, "rate_limited"])
    }
    const [, bob] = logins
    const browser = browserOf(server.address)
    if (bob !== undefined) await browser.logIn(bob)
    const valid = { cookie: browser.cookie() }
    expect((await ask("198.51.100.8", "GET /console/session", valid)).status).toBe(200)
    for (let index = 0; index < 320; index++) {
      const { outcome } = await ask("198.51.100.9", "GET /console/session", {})
      if (outcome !== "session_missing") expect.unreachable(`a browser without a session is told ${outcome}`)
    }
  })

  it("hold for bodies without a session: 8 KiB, and lengths before all other work", async () => {
    const marks = "\u0300\u0316".repeat(512)
    for (const path of ["session", "password-resets", ...openPaths]) {
      const large = { email: "a".repeat(8_192) }
      const { outcome } = await ask("192.0.2.9", `POST /console/${path}`, {}, large)
      expect([path, outcome]).toEqual([path, "body_too_large"])
    }
    const normalise = vi.spyOn(String.prototype, "normalize")
    const long = await ask("192.0.2.9", "POST /console/password-resets/complete", {}, { token: "x", password: marks })
    const login = await ask("192.0.2.9", "POST /console/session", {}, { email: `a${marks}@b.c`, password: marks })
    const reset = await ask("192.0.2.9", "POST /console/password-resets", {}, { email: `a${marks.slice(0, 100)}@b.c` })
    const normalised = normalise.mock.contexts.map(String).filter((text) => text.includes(marks.slice(0, 100)))
    normalise.mockRestore()
    expect([long, login, reset].map(({ outcome }) => outcome)).toEqual([
      ...["validation_failed", "login_failed", "validation_failed"]
    ])
    expect(normalised).toEqual([])
  })

  it("apply the limit of a key to all sessions of a user together", async () => {
    const [, , eve] = logins
    const browsers = [browserOf(server.address), browserOf(server.address)]
    for (const browser of browsers) if (eve !== undefined) await browser.logIn(eve)
    const answers = await Promise.all(
      Array.from({ length: 45 }, (_, index) => browsers[index % 2]?.send("GET /console/api/me"))
    )
    expect(new Set(answers.map((answer) => answer?.outcome))).toEqual(new Set([200, "rate_limited"]))
    const refused = answers.find((answer) => answer?.outcome === "rate_limited")
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0)
  })
})

describe("a console over https", () => {
  it("has a secure cookie, accepts changes from its public origin only, and has no limits if configured", async () => {
    const [, , , login = { email: "", password: "" }] = logins
    const origin = "https://solar.example.com"
    const server = await serve({ ...embedded, PUBLIC_URL: origin, RATE_LIMIT_PER_MINUTE: "0" })
    const browser = browserOf(server.address, origin)
    const { headers } = await browser.logIn(login)
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-solar_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
    ])
    expect((await browser.send("GET /console/api/me")).status).toBe(200)
    for (const own of [server.address, "http://solar.example.com", "https://solar.example.com:8443"]) {
      const { outcome } = await browser.send("DELETE /console/session", { headers: { origin: own } })
      expect([own, outcome]).toEqual([own, "origin_not_allowed"])
    }
    for (let index = 0; index < 12; index++) {
      const { outcome } = await browser.send("POST /console/session", { body: { email: login.email, password: wrong } })
      expect(outcome).toBe("login_failed")
    }
    expect((await browser.send("GET /console/session")).status).toBe(200)
    const { headers: cleared } = await browser.send("DELETE /console/session")
    expect(cleared.getSetCookie()).toEqual([
      "__Host-solar_session=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0"
    ])
    await server.stop()
  })
})
