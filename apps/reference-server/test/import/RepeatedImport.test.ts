import { MaximumPageBytes, Portfolios, RepositoryError, SiteRepository, Sites } from "@solar-sites/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeImporting } from "./Importing.ts"

const header = "externalId,siteName,capacity,unit,address,tags,attributes"
const awkward = [
  "=1+1",
  "'=1",
  "''@",
  "-",
  "'",
  '"quoted", and',
  "a;b",
  "ü\u2028ï",
  "[1]",
  "{}",
  "a\u00a0b",
  "0123",
  "TRUE"
]

describe("a repeated import", () => {
  let importing: Awaited<ReturnType<typeof makeImporting>>
  beforeAll(async () => {
    importing = await makeImporting()
  })
  afterAll(() => importing.close())

  const counts = (created: number, updated = 0, unchanged = 0) => ({ created, updated, unchanged, faultCount: 0 })
  const rows = (count: number, externalId: (row: number) => string) =>
    Array.from({ length: count }, (_, row) => `${externalId(row)},Site ${row},1.5,kWp,,roof,\n`).join("")

  it("changes nothing with upsert, and refuses taken ids without", async () => {
    const { importWith, sites } = await importing.join()
    const load = importWith()
    const content = `${header}\n${rows(1_100, (row) => `E-${row}`)}`
    expect(await load(content, { upsert: true })).toMatchObject(counts(1_100))
    const before = await sites()
    expect(await load(content, { upsert: true })).toMatchObject(counts(0, 0, 1_100))
    expect(await sites()).toEqual(before)
    const refused = await load(content)
    expect(refused).toMatchObject({ created: 0, faultCount: 1_100 })
    expect(refused.faults[1]).toMatchObject({ row: 3, column: "externalId", code: "external_id_taken" })
  })

  it("creates rows without an external id again", async () => {
    const { importWith, sites } = await importing.join()
    const load = importWith()
    const content = `${header}\n${rows(3, (row) => (row === 1 ? "E-1" : ""))}`
    expect(await load(content, { upsert: true })).toMatchObject(counts(3))
    expect(await load(content, { upsert: true })).toMatchObject(counts(2, 0, 1))
    expect(await sites()).toHaveLength(5)
  })

  it("keeps members without a column, clears empty cells, and keeps required members", async () => {
    const { importWith, sites } = await importing.join()
    const load = importWith()
    await load(`${header}\nE-1,One,1,kW,The lane,roof,"{""a"":1}"\nE-2,Two,2,kW,Here,,`)
    expect(await load("externalId,address,siteName\nE-1,,\nE-2,Here,Second", { upsert: true })).toMatchObject(
      counts(0, 2)
    )
    expect(await sites()).toMatchObject([
      { siteName: "One", capacity: 1, address: null, tags: ["roof"], attributes: { a: 1 } },
      { siteName: "Second", capacity: 2, address: "Here" }
    ])
    const created = await load("externalId,address\nE-3,New", { upsert: true })
    expect(created.faults.map(({ code, row }) => [row, code])).toContainEqual([2, "required"])
  })

  it("stores changes in halves where the stored sites are too large for one step", async () => {
    const { importWith, runAs, sites } = await importing.join()
    const table = (address: string) =>
      `${header}\n${Array.from({ length: 9 }, (_, row) => `E-${row},Site,1,kW,${address},,"{""a"":""${"x".repeat(40)}""}"\n`).join("")}`
    await importWith()(table("Here"), { upsert: true })
    const real = await runAs(Sites)
    const bounded = (bytes: number) =>
      importWith({ ...real, bulk: (input) => Effect.provideService(real.bulk(input), MaximumPageBytes, bytes) })
    expect(await bounded(100)(table("There"), { upsert: true })).toMatchObject(counts(0, 9))
    expect((await sites()).map(({ address }) => address)).toEqual(Array.from({ length: 9 }, () => "There"))
    await expect(bounded(10)(table("Nowhere"), { upsert: true })).rejects.toThrow("at most 10 bytes")
  })

  it("goes on after an interruption, with and without upsert", async () => {
    for (const upsert of [false, true]) {
      const { importWith, runAs, sites } = await importing.join()
      const content = `${header}\n${rows(2_100, (row) => (row % 2 === 0 ? `E-${row}` : ""))}`
      const lost = new RepositoryError({ operation: "test", retryable: true, cause: new Error("connection lost") })
      const real = await runAs(Sites)
      let calls = 0
      const bulk: typeof real.bulk = (input) =>
        Effect.suspend(() => (++calls > 2 ? Effect.fail(lost) : real.bulk(input)))
      await expect(importWith({ ...real, bulk })(content)).rejects.toThrow()
      // The first step has the header.
      expect((await sites()).length).toBe(1_999)
      const result = await importWith()(content, { upsert })
      expect([upsert, result.faults.slice(0, 3)]).toEqual([upsert, []])
      expect((await sites()).map(({ siteName }) => siteName)).toEqual(
        Array.from({ length: 2_100 }, (_, row) => `Site ${row}`)
      )
    }
  })

  it("names rows with a portfolio that does not exist", async () => {
    const { importWith, runAs } = await importing.join()
    const other = await importing.join()
    const create = Portfolios.use(({ createMany }) => createMany([{ name: "North" }]))
    const [[own], [foreign]] = [await runAs(create), await other.runAs(create)]
    const content = ["siteName,capacity,unit,portfolioId", `A,1,kW,${own?.id}`, `B,1,kW,${foreign?.id}`].join("\n")
    const result = await importWith()(content)
    expect(result.faults).toEqual([
      { row: 3, column: "portfolioId", code: "portfolio_not_found", detail: expect.any(String) }
    ])
  })

  it("of an export changes nothing", async () => {
    const { exported, importWith, runAs, sites } = await importing.join()
    await runAs(
      Sites.use(({ create }) =>
        Effect.forEach(awkward, (text, index) =>
          create({
            siteName: text,
            capacity: 0.1 + index,
            unit: "MWp",
            address: index === 0 ? "" : text,
            latitude: index % 2 === 0 ? null : -1e-7,
            siteManager: index % 3 === 0 ? null : { name: text, email: null, phone: text, company: null, userId: null },
            coverImageUrl: index === 4 ? "https://example.com/a,b.jpg" : null,
            externalId: text,
            tags: [text, ";,"],
            attributes: { [text]: text, "a.b": 1, empty: "", none: null, yes: true }
          })
        )
      )
    )
    const before = await sites()
    const file = await exported()
    expect(await importWith()(file, { upsert: true })).toMatchObject(counts(0, 0, awkward.length))
    expect(await sites()).toEqual(before)

    const other = await importing.join()
    expect(await other.importWith()(file)).toMatchObject(counts(awkward.length))
    const own = ({ createdAt: _c, id: _i, organisationId: _o, updatedAt: _u, ...members }: (typeof before)[number]) =>
      members
    expect((await other.sites()).map(own)).toEqual(before.map(own))
  })

  it("uses the ports of the organisation alone", async () => {
    const { importWith, runAs } = await importing.join()
    await importWith()(`${header}\nE-1,One,1,kW,,,`)
    const other = await importing.join()
    expect(await other.importWith()(`${header}\nE-1,One,1,kW,,,`)).toMatchObject(counts(1))
    expect(await runAs(SiteRepository)).toBeDefined()
  })
})
