import { Portfolios } from "@solar-sites/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeImporting } from "./Importing.ts"

describe("a column of portfolios", () => {
  let importing: Awaited<ReturnType<typeof makeImporting>>
  beforeAll(async () => {
    importing = await makeImporting()
  })
  afterAll(() => importing.close())

  const setup = async () => {
    const { importWith, runAs, sites } = await importing.join()
    const inputs = [
      { name: "North", externalId: "P-1" },
      { name: "South" },
      { name: "P-1" },
      { name: "Twice" },
      { name: "Twice" },
      { name: "South field" }
    ]
    const created = await runAs(Portfolios.use(({ createMany }) => createMany(inputs as never)))
    const load = (column: string, ...cells: ReadonlyArray<string>) =>
      importWith()(
        [`siteName,capacity,unit,${column}`, ...cells.map((cell, row) => `Site ${row},1,kW,${cell}`)].join("\n")
      )
    return { load, sites, ids: created.map(({ id }) => id) }
  }

  it("names them by external id, else by a name that one has", async () => {
    const { ids, load, sites } = await setup()
    expect(await load("Portfolio", "P-1", " South ", "North", "", "South")).toMatchObject({ created: 5, faultCount: 0 })
    const [north, south] = ids
    expect((await sites()).map(({ portfolioId }) => portfolioId)).toEqual([north, south, north, null, south])
  })

  it("names the cells of none and of several", async () => {
    const { load, sites } = await setup()
    await (await importing.join()).runAs(Portfolios.use(({ createMany }) => createMany([{ name: "Foreign" }])))
    const { faults } = await load("portfolio", "Twice", "south", "Foreign", "x".repeat(2_000), "North")
    expect(faults.map(({ code, column, row }) => [row, column, code])).toEqual([
      [2, "portfolio", "portfolio_ambiguous"],
      ...[3, 4, 5].map((row) => [row, "portfolio", "portfolio_not_found"])
    ])
    expect(await sites()).toEqual([])
  })

  it("cannot stand beside their ids", async () => {
    const { load } = await setup()
    expect((await load("Portfolio,portfolioId", ",")).faults).toMatchObject([
      { row: 1, column: "portfolioId", code: "duplicate_column" }
    ])
  })
})
