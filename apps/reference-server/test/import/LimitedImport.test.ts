import { Portfolios, type Site, Sites } from "@solar-sites/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeImporting } from "./Importing.ts"

const header = "externalId,siteName,capacity,unit,portfolio"

describe("an import of a caller that is limited to portfolios", () => {
  let importing: Awaited<ReturnType<typeof makeImporting>>
  beforeAll(async () => {
    importing = await makeImporting()
  })
  afterAll(() => importing.close())

  const setup = async () => {
    const organisation = await importing.join()
    const [inside, outside] = await organisation.runAs(
      Portfolios.use(({ createMany }) => createMany([{ name: "Inside" }, { name: "Outside" }]))
    )
    if (inside === undefined || outside === undefined) throw new Error("two portfolios were expected")
    const load = organisation.importWith()
    await load(`${header}\nE-1,First,1,kW,Inside\nE-2,Second,1,kW,Outside`)
    return { ...organisation, limited: organisation.importLimited(inside.id), inside, outside }
  }

  const named = (sites: ReadonlyArray<Site>) => sites.map(({ capacity, siteName }) => `${siteName} ${capacity}`)

  it("creates and changes sites of its portfolios", async () => {
    const { inside, limited, sites } = await setup()
    const content = `${header}\nE-1,First,2,kW,Inside\nE-3,Third,1,kW,Inside`
    expect(await limited(content, { upsert: true })).toMatchObject({ created: 1, updated: 1, faultCount: 0 })
    expect(named(await sites())).toEqual(["First 2", "Second 1", "Third 1"])
    expect((await sites())[2]?.portfolioId).toBe(inside.id)
  })

  it("knows no other portfolio, by name or id, and needs one", async () => {
    const { limited, outside, sites } = await setup()
    const byName = await limited(`${header}\nE-3,Third,1,kW,Outside\nE-4,Fourth,1,kW,Nowhere\nE-5,Fifth,1,kW,`)
    const missing = { column: "portfolio", code: "portfolio_not_found" }
    const codes = [missing, missing, { column: "portfolio", code: "portfolio_required" }]
    expect(byName.faults).toMatchObject(codes.map((fault, index) => ({ row: index + 2, ...fault })))
    expect(byName.faults[0]?.detail).toBe(byName.faults[1]?.detail)
    const byId = await limited(`siteName,capacity,unit,portfolioId\nThird,1,kW,${outside.id}`)
    expect(byId.faults).toMatchObject([{ row: 2, code: "portfolio_not_found" }])
    expect(await sites()).toHaveLength(2)
  })

  it("puts a new site into the portfolio of its options, unless its row names one", async () => {
    const { inside, limited, outside, sites } = await setup()
    const content = "externalId,siteName,capacity,unit\nE-1,First,3,kW\nE-3,Third,1,kW"
    const options = { upsert: true, portfolioId: inside.id }
    expect(await limited(content, options)).toMatchObject({ created: 1, updated: 1, faultCount: 0 })
    expect((await sites()).map(({ portfolioId }) => portfolioId)).toEqual([inside.id, outside.id, inside.id])
    const refused = await limited(content.replaceAll("E-3", "E-4"), { ...options, portfolioId: outside.id })
    expect(refused.faults).toMatchObject([{ row: 3, code: "portfolio_not_found" }])
  })

  it("finds no site outside by its external id, and does not change it", async () => {
    const { limited, runAs, sites } = await setup()
    const [, hidden] = await sites()
    if (hidden === undefined) throw new Error("a site outside was expected")
    const content = `${header}\nE-2,Second,9,kW,Inside`
    for (const upsert of [true, false]) {
      for (const dryRun of [true, false]) {
        const { created, faults } = await limited(content, { upsert, dryRun })
        const fault = {
          row: 2,
          column: "externalId",
          code: "external_id_taken",
          detail: "is the external id of another site"
        }
        expect([created, faults]).toEqual([0, [fault]])
      }
    }
    expect(await runAs(Sites.use(({ get }) => get(hidden.id)))).toEqual(hidden)
  })
})
