import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { withoutPostgres } from "../../ExternalDatabase.ts"
import { type OpenIdSetup, openIdSetup, outcomeOf } from "./OpenIdSetup.ts"

describe.skipIf(withoutPostgres)("a server with limits by a claim", () => {
  let setup: OpenIdSetup
  let north: string
  let south: string

  const access = async (name: string, groups: ReadonlyArray<string>, portfolios?: unknown) => {
    const browser = setup.visitor()
    const claims = { ...setup.claimsOf(name), groups, ...(portfolios === undefined ? {} : { portfolios }) }
    expect(outcomeOf(await setup.logIn({ claims, info: { sub: claims.sub } }, browser))).toBe(200)
    const user = Object((await browser.send("GET /console/session")).json["user"])
    return { browser, id: String(user.id), role: user.role, portfolioIds: user.portfolioIds }
  }

  beforeAll(async () => {
    setup = await openIdSetup({ OIDC_ROLE_CLAIM: "groups", OIDC_PORTFOLIO_CLAIM: "portfolios" })
    const { browser } = await access("Olaf", ["owner"])
    const body = { portfolios: [{ name: "North", externalId: "north" }, { name: "South" }] }
    const { json, status } = await browser.send("POST /console/api/portfolios", { body })
    expect(status).toBe(201)
    ;[north, south] = Object(json)["data"].map(({ id }: { id: string }) => id)
  })

  afterAll(() => setup.close())

  it("limits a user from its first login on, by ids and external ids", async () => {
    const first = await access("Ada", ["member"], ["north", south, "unknown", north])
    expect(first).toMatchObject({ role: "member", portfolioIds: [north, south].toSorted() })
    expect(await access("Ada", ["member"], "north")).toMatchObject({ portfolioIds: [north] })
    const { json } = await first.browser.send("GET /console/api/portfolios")
    expect(Object(json)["data"].map(({ name }: { name: string }) => name)).toEqual(["North"])
  })

  it.each([[undefined], [""], [[]], ["unknown"], [{ north: true }], [["north", 1]], ["a\u0000b"]])(
    "shows nothing to users with the claim %j",
    async (portfolios) => {
      const { browser, portfolioIds } = await access("Nora", ["member"], portfolios)
      expect(portfolioIds).toEqual([])
      expect((await browser.send("GET /console/api/portfolios")).json["data"]).toEqual([])
    }
  )

  it("writes one event for the same claim in another order", async () => {
    const { browser: owner } = await access("Olaf", ["owner"])
    await access("Otis", ["member"], ["north"])
    const { id } = await access("Otis", ["member"], [south, north])
    await access("Otis", ["member"], [north, south])
    const { json } = await owner.send("GET /console/api/events?type=user.updated&order=desc&limit=10")
    const events = Object(json)["data"].filter(({ subject }: { subject: { id: string } }) => subject.id === id)
    expect(events.map(({ changes }: { changes: object }) => changes)).toEqual([
      { portfolioIds: { from: [north], to: [north, south].toSorted() } }
    ])
  })

  it("changes role and limit together, and leaves owners unlimited", async () => {
    expect(await access("Eve", ["admin"], ["north"])).toMatchObject({ role: "admin", portfolioIds: [north] })
    expect(await access("Eve", ["owner"], ["north"])).toMatchObject({ role: "owner", portfolioIds: null })
    expect(await access("Eve", ["owner"], [south])).toMatchObject({ role: "owner", portfolioIds: null })
    expect(await access("Eve", ["viewer"], [south])).toMatchObject({ role: "viewer", portfolioIds: [south] })
    expect(await access("Eve", ["viewer"])).toMatchObject({ role: "viewer", portfolioIds: [] })
  })
})
