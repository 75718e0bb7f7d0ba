/**
 * Fills an organisation: 50 portfolios, sites with positions in Europe, an insurance for nine of ten
 * sites, of which some have expired or expire soon, and requirements, so that sites show their health.
 */
import type { OrganisationId } from "@solar-sites/core"
import postgres from "postgres"

const portfolios = 50

/** Ids that ascend with `n`, as those of a service do, and differ between organisations. */
const id = (kind: string, n: string) => {
  const noise = `md5($1 || '${kind}' || (${n}))`
  return `(lpad(to_hex(1767225600000 + (${n})), 12, '0') || '7' || left(${noise}, 3) || '8' || substr(${noise}, 4, 15))::uuid`
}

const names =
  "array['Long Meadow', 'Blackmoor', 'Calder Mill', 'Harbour', 'Romney', 'Chalk Ridge', 'Aire Street', 'Dales']"
const towns = "array['Leeds', 'York', 'Berlin', 'Madrid', 'Lisboa', 'Paris', 'Roma', 'Wien', 'Praha', 'Oslo']"

/** Each takes the organisation and a number of rows. */
const inserts = (
  schema: string
): ReadonlyArray<readonly [table: string, rows: "portfolios" | "sites", text: string]> => [
  [
    "portfolio",
    "portfolios",
    `insert into ${schema}.portfolio (organisation_id, id, name, created_at, updated_at, version)
     select $1::text::uuid, ${id("p", "n")}, 'Portfolio ' || n, now(), now(), 1 from generate_series(1, $2::int) n`
  ],
  [
    "site",
    "sites",
    `insert into ${schema}.site (
       organisation_id, id, portfolio_id, site_name, address, capacity, unit, kilowatts_per_unit, latitude, longitude,
       created_at, updated_at, version, external_id, tags
     )
     select $1::text::uuid, ${id("s", "n")}, ${id("p", `1 + n % ${portfolios}`)}, (${names})[1 + n % 8] || ' ' || n,
            'Street ' || n || ', ' || (${towns})[1 + n / 7 % 10], (n % 5000 + 1) / 10.0, 'kWp', 1,
            36 + random() * 22, -9 + random() * 30, now() - n * interval '1 second', now(), 1, 'ext-' || n,
            case when n % 3 = 0 then array['rooftop'] else '{}' end
     from generate_series(1, $2::int) n`
  ],
  [
    "document",
    "sites",
    `insert into ${schema}.document (
       organisation_id, id, site_id, type, document_type, address_expires_at, filename, status, mime_type, size_bytes,
       declared_bytes, created_at, updated_at, version, refused, valid_until, replacement_requests
     )
     select $1::text::uuid, ${id("d", "n")}, ${id("s", "n")}, 'documents', 'insurance', now(), 'insurance.pdf', 'approved',
            'application/pdf', 1000, 1000, now(), now(), 1, false, (now() + (n % 700 - 20) * interval '1 day')::date, 0
     from generate_series(1, $2::int) n where n % 10 > 0`
  ]
]

/** The organisation has no portfolios, sites and requirements yet. */
export const fill = async (url: string, schema: string, organisationId: OrganisationId, sites: number) => {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  for (const [table, rows, text] of inserts(schema)) {
    await sql.unsafe(text, [organisationId, rows === "sites" ? sites : portfolios])
    await sql.unsafe(`vacuum analyze ${schema}.${table}`)
  }
  await sql`insert into ${sql(`${schema}.requirement_list`)} (organisation_id, version, updated_at)
            values (${organisationId}, 1, now())`
  await sql`insert into ${sql(`${schema}.requirement`)} (
              organisation_id, position, document_type, portfolio_id, validity_required, expiring_within_days
            ) values (${organisationId}, 0, 'insurance', null, true, 30)`
  await sql.end()
}
