import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { withoutPostgres } from "../ExternalDatabase.ts"
import { postgresProxy, type ServiceProxy } from "../ServiceProxy.ts"
import type { Browser } from "./Browser.ts"
import { type ConsoleSetup, consoleDatabases, consoleSetup } from "./ConsoleSetup.ts"

const databases = consoleDatabases()

/** Requests that a page may send at any time. */
const reads = [
  "GET /console/session",
  "GET /console/api/me",
  "GET /console/api/sites",
  "GET /console/api-keys",
  "GET /console/users",
  "GET /console/sessions",
  "GET /console/invitations",
  "GET /console/organisation",
  "GET /console/organisation/use",
  "GET /console/organisation/overview",
  "GET /console/account/second-factor"
]

const token = "A".repeat(43)

/** Uses of links, which need no session. */
const links: ReadonlyArray<readonly [string, object]> = [
  ["POST /console/invitations/look", { token }],
  ["POST /console/invitations/accept", { token, name: "Eve", password: "another horse battery" }],
  ["POST /console/password-resets/complete", { token, password: "another horse battery" }],
  ["POST /console/email-confirmations", { token }]
]

describe.skipIf(withoutPostgres)("the console when its database is lost", () => {
  let setup: ConsoleSetup
  let proxy: ServiceProxy
  let browser: Browser

  beforeAll(async () => {
    const database = databases.each.find(({ name }) => name === "a Postgres server")
    proxy = await postgresProxy()
    setup = await consoleSetup(
      { ...(await database?.variables()) },
      { DATABASE_URL: proxy.url, QUERY_TIMEOUT: "3s", LOG_LEVEL: "none" }
    )
    browser = await setup.loggedIn(setup.ada)
  })

  afterAll(async () => {
    proxy.thaw()
    await setup.close()
    await proxy.stop()
    await databases.remove()
  })

  const guess = () =>
    setup.visitor().send("POST /console/session", { body: { email: setup.ada.email, password: "not the right words" } })

  it.each([
    ["is gone", () => proxy.stop(), () => proxy.start()],
    ["answers nothing", () => proxy.freeze(), () => proxy.thaw()]
  ])("reports that it %s, keeps sessions, counts no failed login, and recovers", async (_, lose, mend) => {
    const cookie = browser.cookie()
    expect(cookie).not.toBe("")
    // The logout may still take effect once delayed packets reach the database.
    const leaving = await setup.loggedIn(setup.ada)
    await lose()
    const answers = await Promise.all([
      ...reads.map((line) => browser.send(line)),
      leaving.send("DELETE /console/session"),
      browser.send("PUT /console/account", { body: { name: "Ada" } }),
      ...links.map(([line, body]) => setup.visitor().send(line, { body })),
      ...Array.from({ length: 12 }, guess)
    ])
    for (const { headers, outcome, status } of answers) {
      expect([status, outcome]).toEqual([503, "database_unavailable"])
      expect(headers.get("retry-after")).toBe("1")
      expect(headers.getSetCookie()).toEqual([])
    }
    await mend()
    const again = { timeout: 100_000 }
    for (const line of reads) await vi.waitFor(async () => expect((await browser.send(line)).outcome).toBe(200), again)
    expect(browser.cookie()).toBe(cookie)
    for (const [line, body] of links) {
      expect([line, (await setup.visitor().send(line, { body })).outcome]).toEqual([line, "link_invalid"])
    }
    // More attempts than an account allows.
    await vi.waitFor(async () => expect((await guess()).outcome).toBe("login_failed"), again)
  })
})
