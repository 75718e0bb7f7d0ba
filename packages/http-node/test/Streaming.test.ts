import {
  CurrentCaller,
  DocumentRepository,
  Documents,
  PortfolioRepository,
  Portfolios,
  RepositoryError,
  SiteRepository,
  Sites
} from "@solar-sites/core"
import { Effect, Layer, Logger } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Binding, bindings, caller, type Member, makeSetup, type Ports, type Setup } from "./Setup.ts"

const count = 2_100

const fill = Effect.fnUntraced(function* ({ caller }: Member) {
  const sites = yield* Sites
  const portfolios = yield* Portfolios
  const documents = yield* Documents
  yield* Effect.gen(function* () {
    const [big, , small] = yield* portfolios.createMany([{ name: "Big" }, { name: "Empty" }, { name: "Small" }])
    for (let index = 0; index < count; index++) {
      const portfolioId = (index % 10 === 0 ? small : big)?.id ?? null
      yield* sites.create({ siteName: `Site ${index}`, capacity: 1, unit: "kW", portfolioId })
    }
    const [site] = (yield* sites.list({ limit: 1 })).data
    for (let index = 0; site !== undefined && index < count; index += 20) {
      const files = Array.from({ length: 20 }, (_, place) => ({
        filename: `${index + place}.pdf`,
        mimeType: "application/pdf"
      }))
      yield* documents.issueUploads({ siteId: site.id, fileType: "documents", files })
    }
  }).pipe(Effect.provideService(CurrentCaller, caller))
})

/** The same ports; their pages fail from the given one on. */
const failingFrom = (ports: Ports, page: number): Ports => {
  const failure = new RepositoryError({ operation: "test", retryable: true, cause: new Error("connection lost") })
  const failing = <Arguments extends ReadonlyArray<unknown>, A>(
    list: (...args: Arguments) => Effect.Effect<A, RepositoryError>
  ) => {
    let calls = 0
    return (...args: Arguments): Effect.Effect<A, RepositoryError> =>
      Effect.suspend(() => (++calls < page ? list(...args) : Effect.fail(failure)))
  }
  const sites = Effect.map(SiteRepository, (it) => ({ ...it, list: failing(it.list) }))
  const portfolios = Effect.map(PortfolioRepository, (it) => ({ ...it, listWithSites: failing(it.listWithSites) }))
  const documents = Effect.map(DocumentRepository, (it) => ({ ...it, list: failing(it.list) }))
  const broken = Layer.mergeAll(
    Layer.effect(SiteRepository, sites),
    Layer.effect(PortfolioRepository, portfolios),
    Layer.effect(DocumentRepository, documents)
  )
  return Layer.mergeAll(ports, Layer.provide(broken, ports), Logger.layer([]))
}

const lists = ["GET /api/sites", "GET /api/portfolios/with-sites", "GET /api/docs"]

let setup: Setup
let member: Member
beforeAll(async () => {
  setup = await makeSetup()
  member = await setup.join("Sunfield")
  await setup.run(fill(member))
})
afterAll(() => setup.close())

describe.each(Object.entries(bindings))("long lists through %s", (_, bind) => {
  const opened: Array<Binding> = []
  const open = async (ports: Ports) => {
    const binding = await bind(ports)
    opened.push(binding)
    return caller(binding, member.key)
  }
  afterAll(async () => {
    for (const binding of opened) await binding.close()
  })

  it("streams a complete list of sites", async () => {
    const { headers, json } = await (await open(setup.ports))("GET /api/sites")
    expect(headers.get("content-length")).toBeNull()
    expect(json.nextCursor).toBeNull()
    expect(json.data.map(({ siteName }: { siteName: string }) => siteName)).toEqual(
      Array.from({ length: count }, (_, index) => `Site ${index}`)
    )
  })

  it("streams a complete list of documents, with and without conditions", async () => {
    const send = await open(setup.ports)
    for (const line of ["GET /api/docs", "GET /api/docs?status=pending&type=documents"]) {
      const { headers, json } = await send(line)
      expect([headers.get("content-length"), json.nextCursor]).toEqual([null, null])
      expect(json.data.map(({ filename }: { filename: string }) => filename)).toEqual(
        Array.from({ length: count }, (_, index) => `${index}.pdf`)
      )
    }
  })

  it("streams from a cursor to the end", async () => {
    const send = await open(setup.ports)
    const { nextCursor } = (await send("GET /api/sites?limit=700")).json
    expect((await send(`GET /api/sites?cursor=${nextCursor}`)).json.data).toHaveLength(count - 700)
  })

  it("streams portfolios with all their sites", async () => {
    const send = await open(setup.ports)
    const { json } = await send("GET /api/portfolios/with-sites")
    expect(json.data.map((it: { name: string; sites: Array<unknown> }) => [it.name, it.sites.length])).toEqual([
      ["Big", 1_890],
      ["Empty", 0],
      ["Small", 210]
    ])
    const first = (await send("GET /api/portfolios/with-sites?limit=2")).json
    expect(first.data).toEqual(json.data.slice(0, 2))
    const rest = (await send(`GET /api/portfolios/with-sites?limit=2&cursor=${first.nextCursor}`)).json
    expect(rest).toEqual({ data: json.data.slice(2), nextCursor: null })
  })

  it.each(lists)("answers %s with a problem when the first page fails", async (line) => {
    const { json, status } = await (await open(failingFrom(setup.ports, 1)))(line)
    expect([status, json.code]).toEqual([503, "database_unavailable"])
  })

  it.each(lists)("cuts the connection of %s when a later page fails", async (line) => {
    const send = await open(failingFrom(setup.ports, 2))
    await expect(send(line)).rejects.toThrow()
  })

  it("ends CSV by the same rules", async () => {
    const csv = { headers: { accept: "text/csv" } }
    const { json, status } = await (await open(failingFrom(setup.ports, 1)))("GET /api/sites", csv)
    expect([status, json.code]).toEqual([503, "database_unavailable"])
    await expect((await open(failingFrom(setup.ports, 2)))("GET /api/docs", csv)).rejects.toThrow()
  })
})
