/**
 * Fills a migrated schema with the fixture.
 */
import { hash } from "node:crypto"
import type postgres from "postgres"
import { v7 } from "uuid"
import {
  type Fixture,
  makeKey,
  type Organisation,
  otherCount,
  portfolioCount,
  sitesOfOther,
  sitesPerPortfolio
} from "./fixture.ts"

const at = new Date("2026-01-01T00:00:00.123Z")
const until = new Date("2126-01-01T00:00:00Z")
const keysPerStatement = 2_000

const units = [
  ["kWp", "1"],
  ["MW", "1000"],
  ["W", "0.001"],
  ["kW", "1"]
] as const

const siteOf = (organisationId: string, portfolioId: string, n: number) => {
  const [unit = "kWp", factor = "1"] = units[n % units.length] ?? []
  return {
    organisation_id: organisationId,
    id: v7(),
    portfolio_id: portfolioId,
    site_name: `Site ${n}`,
    address: n % 4 === 0 ? null : `${n} Long Meadow Lane, Somewhere`,
    capacity: String(1 + (n % 997) + (n % 8) / 8),
    unit,
    kilowatts_per_unit: factor,
    latitude: n % 5 === 0 ? null : 48 + (n % 100) / 64,
    longitude: n % 5 === 0 ? null : 11 + (n % 100) / 64,
    site_manager:
      n % 3 === 0
        ? { name: `Manager ${n}`, email: "manager@example.com", phone: null, company: "Sunfield", userId: null }
        : null,
    cover_image_url: n % 7 === 0 ? `https://images.example.com/${n}.jpg` : null,
    created_at: at,
    updated_at: at,
    version: 1
  }
}

const keyOf = (organisationId: string, key: string) => ({
  organisation_id: organisationId,
  id: v7(),
  digest: hash("sha256", key, "buffer"),
  name: "Benchmark",
  prefix: key.slice(0, 14),
  created_by: null,
  created_at: at,
  expires_at: until
})

export interface FillOptions {
  readonly freshKeys: number
  /** Uploaded documents of each of the other organisations. */
  readonly documents: number
}

export const fill = async (sql: postgres.Sql, schema: string, options: FillOptions): Promise<Fixture> => {
  const table = (name: string) => sql(`${schema}.${name}`)

  const organisation = async (name: string, portfolios: number, siteCount: number) => {
    const organisationId = v7()
    await sql`insert into ${table("organisation")} ${sql({ id: organisationId, name, status: "active" })}`
    const portfolioIds = Array.from({ length: portfolios }, () => v7())
    const rows = portfolioIds.map((id, n) => ({ id, name: `Portfolio ${n}` }))
    const times = { created_at: at, updated_at: at, version: 1 }
    await sql`insert into ${table("portfolio")}
      ${sql(rows.map((row) => ({ organisation_id: organisationId, ...row, ...times })))}`
    const sites = Array.from({ length: siteCount }, (_, n) =>
      siteOf(organisationId, portfolioIds[n % portfolioIds.length] ?? "", n)
    )
    await sql`insert into ${table("site")} ${sql(sites)}`
    const key = makeKey()
    await sql`insert into ${table("api_key")} ${sql(keyOf(organisationId, key))}`
    return { organisationId, key, portfolioIds, siteIds: sites.map(({ id }) => id) }
  }

  const uploaded = async ({ organisationId, siteIds }: Organisation, count: number) => {
    const ids = Array.from({ length: count }, () => v7())
    await sql`insert into ${table("document")} (
        organisation_id, id, site_id, type, document_type, filename, status, mime_type, size_bytes, declared_bytes,
        created_at, updated_at, version, address_expires_at
      )
      select ${organisationId}::uuid, d.id, (${siteIds}::uuid[])[1 + d.n % ${siteIds.length}::int], 'documents', 'invoice',
             'report ' || d.n || '.pdf', 'uploaded', 'application/pdf', 12345, 12345, ${at}::timestamptz,
             ${at}::timestamptz, 1, ${at}::timestamptz
      from unnest(${ids}::uuid[]) with ordinality as d (id, n)`
    return ids
  }

  const sitesOfEach = portfolioCount * sitesPerPortfolio
  const reader = await organisation("Reader", portfolioCount, sitesOfEach)
  const writer = await organisation("Writer", 2, sitesOfEach)
  const mover = await organisation("Mover", portfolioCount, sitesOfEach)
  const others: Array<Fixture["others"][number]> = []
  for (let n = 0; n < otherCount; n++) {
    const other = await organisation(`Other ${n}`, 1, sitesOfOther)
    others.push({ ...other, documentIds: await uploaded(other, options.documents) })
  }
  const freshKeys = Array.from({ length: options.freshKeys }, makeKey)
  for (let from = 0; from < freshKeys.length; from += keysPerStatement) {
    const keys = freshKeys.slice(from, from + keysPerStatement).map((key) => keyOf(reader.organisationId, key))
    await sql`insert into ${table("api_key")} ${sql(keys)}`
  }
  return { reader, writer, mover, others, freshKeys }
}
