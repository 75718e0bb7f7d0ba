/** Totals of an organisation among the records of another one, of which some have the same ids. */
import { OrganisationId, PortfolioId } from "@solar-sites/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { organisationOverview, organisationUse } from "../../../src/accounts/organisation/OrganisationTotals.ts"
import { fill, type Installation, installation } from "../../archive/ArchiveSetup.ts"
import { ownSchemas, withoutPostgres } from "../../ExternalDatabase.ts"
import { temporaryFolder } from "../../SolarSitesProcess.ts"
import { aUser } from "../Rules.ts"

describe.skipIf(withoutPostgres)("totals of an organisation", () => {
  const schemas = ownSchemas()
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let source: Installation

  const owner = aUser(1, "owner")

  const totalsOf = (id: OrganisationId, user = owner) => {
    const overview = Effect.flatMap(organisationOverview, (overviewOf) => overviewOf({ ...user, organisationId: id }))
    const use = Effect.flatMap(organisationUse, (useOf) => useOf({ organisationId: id }))
    return source.run(Effect.all([overview, use]))
  }

  /** Gives the other organisation a portfolio, a site and documents with the same ids. Resolves with that of the portfolio. */
  const shareIds = async (one: OrganisationId, other: OrganisationId): Promise<PortfolioId> => {
    for (const table of ["portfolio", "site", "document"]) {
      const [columns] = await source.sql(`select string_agg(quote_ident(attname), ', ') from pg_attribute
        where attrelid = '{schema}.${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`)
      await source.sql(`insert into {schema}.${table} (${columns}) select ${columns} from (
        select (jsonb_populate_record(t, jsonb_build_object('organisation_id', '${other}', 'external_id', null))).*
        from {schema}.${table} t where t.organisation_id = '${one}'
      ) x`)
    }
    const rows = await source.sql(`select min(id::text) from {schema}.portfolio where organisation_id = '${one}'`)
    return PortfolioId.make(String(rows[0]?.[0]))
  }

  beforeAll(async () => {
    folder = await temporaryFolder()
    source = await installation({ ...schemas.next(), DATA_DIR: folder.path })
  })

  afterAll(async () => {
    await source.close()
    await schemas.drop()
    await folder[Symbol.asyncDispose]()
  })

  it("count its own records", async () => {
    const [one, other] = [await fill(source, "One"), await fill(source, "Other")]
    const portfolioId = await shareIds(one, other)
    const [overview, use] = await totalsOf(one)
    expect(overview).toMatchObject({
      ...{ siteCount: 1, capacityKw: 70, portfolios: [{ name: "South", siteCount: 1, capacityKw: 70 }] },
      ...{ documents: { pending: 1, uploaded: 3 }, requirements: 1, apiKeys: 1, users: 2 }
    })
    expect(use).toEqual({ documents: 4, measuredDocuments: 4, bytes: 23 })
    const [within] = await totalsOf(one, aUser(1, "member", { portfolioIds: [portfolioId] }))
    expect(within).toMatchObject({
      siteCount: 1,
      portfolios: [{ name: "South" }],
      documents: { pending: 1, uploaded: 3 }
    })
    const [empty, unused] = await totalsOf(OrganisationId.make(crypto.randomUUID()))
    expect(empty).toMatchObject({ siteCount: 0, portfolios: [], documents: { uploaded: 0 }, requirements: 0, users: 0 })
    expect(unused).toEqual({ documents: 0, measuredDocuments: 0, bytes: 0 })
  })
})
