/**
 * Times of coverage in one organisation with 100,000 sites, 10 requirements and 1,000,000 documents:
 * the summary, pages of 100 sites, lists and maps of sites by health, and a page that no site matches. Prints medians, and means of the
 * processor time of a server on this machine, which other work on the machine hardly changes.
 *
 * `DATABASE_URL` is the server; by default one is started for the run. `SITES` is the number of
 * sites.
 */
import { readFile } from "node:fs/promises"
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import {
  CalendarDate,
  type CoverageConditions,
  DocumentType,
  RequirementRepository,
  requirementListRecords,
  SiteHealth,
  SiteId,
  SiteRepository
} from "@solar-sites/core"
import { aPortfolio, aRequirement, aSite } from "@solar-sites/testing"
import { DateTime, Effect, Layer, Redacted } from "effect"
import postgres from "postgres"
import { findServer } from "../EmbeddedPostgres.ts"

const count = Number(process.env["SITES"] ?? "100000")
const schema = "solar_coverage"
const asOf = CalendarDate.make("2026-11-22")
const { id: portfolioId, organisationId } = aPortfolio()
const types = DocumentType.literals.slice(0, 10)

/** Ids that ascend with `n`, as those of a service do. */
const id = (n: string) =>
  `(lpad(to_hex(1767225600000 + ${n}), 12, '0') || '7' || left(md5((${n})::text), 3) || '8' || substr(md5((${n})::text), 4, 15))::uuid`

// Documents of a type are stored one after the other, so those of a site lie far apart.
const fill = (table: string, from: number, to: number): string =>
  table === "site"
    ? `insert into ${schema}.site (organisation_id, id, portfolio_id, site_name, capacity, unit, kilowatts_per_unit,
         created_at, updated_at, version, longitude, latitude)
       select '${organisationId}', ${id("n")}, case when n % 100 = 0 then '${portfolioId}'::uuid end, 'Site ' || n, 1,
              'kW', 1, now(), now(), 1, (n * 7919 % 18000) / 1000.0 - 3, 40 + (n * 104729 % 15000) / 1000.0
       from generate_series(${from}::bigint, ${to - 1}) n`
    : `insert into ${schema}.document (organisation_id, id, site_id, type, document_type, filename, status, mime_type,
         created_at, updated_at, version, address_expires_at, look_at, valid_from, valid_until)
       select '${organisationId}', ${id("n")}, ${id(`(n * 7919) % ${count}`)}, 'documents',
              (array['${types.join("','")}'])[1 + n / ${count}], 'a.pdf',
              case when n % 200 = 7 then 'pending' when n % 50 = 9 then 'failed' else 'uploaded' end, 'application/pdf',
              now(), now(), 1, now(), case when n % 200 = 7 then now() end,
              case when n % 3 = 0 then date '2024-01-01' + (n % 700)::int end,
              case when n % 4 <> 0 then date '2026-01-01' + (n % 900)::int end
       from generate_series(${from}::bigint, ${to - 1}) n`

const rowsPerStep = 50_000

const prepare = Effect.fnUntraced(function* (url: string) {
  yield* migrate
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  yield* Effect.promise(async () => {
    await sql.unsafe(`insert into ${schema}.organisation values ('${organisationId}', 'Large', 'active')`)
    await sql.unsafe(
      `insert into ${schema}.portfolio values ('${organisationId}', '${portfolioId}', 'North', now(), now(), 1)`
    )
    // The maximum of pending documents is not what is measured.
    await sql.unsafe(`alter table ${schema}.document disable trigger user`)
    for (const [table, rows] of [
      ["site", count],
      ["document", count * types.length]
    ] as const) {
      for (let from = 0; from < rows; from += rowsPerStep) {
        await sql.unsafe(fill(table, from, Math.min(from + rowsPerStep, rows)))
      }
      await sql.unsafe(`vacuum analyze ${schema}.${table}`)
    }
    await sql.end()
  })
  const at = yield* DateTime.now
  const requirements = types.map((documentType, index) =>
    aRequirement({ documentType, validityRequired: index % 3 === 0, portfolioId: index < 8 ? null : portfolioId })
  )
  yield* (yield* requirementListRecords).replace(organisationId, requirements, { at })
})

/** Processor time in ms: connections of the server and its ended workers. NaN without /proc. */
const processorTime = Effect.gen(function* () {
  const text = "select string_agg(pid::text, ' ') from pg_stat_activity where backend_type = 'client backend'"
  const [row] = yield* PgClient.use(({ run }) => run({ operation: "benchmark", text }))
  const pids = String(row?.[0]).split(" ")
  return yield* Effect.promise(async () => {
    // The name of the program, in brackets, may contain spaces.
    const statOf = async (pid: string) => (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? []
    try {
      const stats = await Promise.all(pids.map(statOf))
      const ofWorkers = (await statOf(stats[0]?.[1] ?? "")).slice(13, 15)
      const ticks = [...stats.flatMap((fields) => fields.slice(11, 13)), ...ofWorkers].map(Number)
      return ticks.reduce((sum, tick) => sum + tick, 0) * 10
    } catch {
      return Number.NaN
    }
  })
})

const times = Effect.fnUntraced(function* <E>(runs: number, task: Effect.Effect<unknown, E>) {
  const times: Array<number> = []
  const before = yield* processorTime
  for (let run = 0; run < runs; run++) {
    const started = performance.now()
    yield* task
    times.push(performance.now() - started)
  }
  const processor = ((yield* processorTime) - before) / runs
  const median = times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN
  return `${median.toFixed(1)} ms, processor ${processor.toFixed(1)} ms`
})

const measure = Effect.gen(function* () {
  const { listCoverage, summariseCoverage } = yield* RequirementRepository
  const [row] = yield* PgClient.use(({ run }) =>
    run({ operation: "benchmark", text: `select ${id(`${count} / 2`)}::text` })
  )
  const middle = SiteId.make(String(row?.[0] ?? aSite().id))
  const page = (conditions: Omit<CoverageConditions, "asOf">, after: SiteId | null = null) =>
    listCoverage(organisationId, { ...conditions, asOf }, { after, limit: 100 })
  console.log(`summary: ${yield* times(15, summariseCoverage(organisationId, { asOf }))}`)
  console.log(`summary of a portfolio: ${yield* times(15, summariseCoverage(organisationId, { asOf, portfolioId }))}`)
  console.log(`page of 100 sites, first: ${yield* times(101, page({}))}`)
  console.log(`page of 100 sites, middle: ${yield* times(101, page({}, middle))}`)
  console.log(`page of 100 sites of a portfolio: ${yield* times(101, page({ portfolioId }))}`)
  console.log(`page of 100 expired sites: ${yield* times(101, page({ state: "expired" }))}`)
  const { clusters, list } = yield* SiteRepository
  const byName = { after: null, limit: 50, sort: { by: "siteName", order: "asc", value: null } } as const
  for (const is of SiteHealth.literals) {
    const found = list(organisationId, { health: { is, asOf } }, byName)
    const { items } = yield* found
    console.log(`${items.length} sites by name, ${is}: ${yield* times(15, found)}`)
    const counted = clusters(organisationId, { health: { is, asOf } })
    console.log(`all sites on a map, ${is}: ${yield* times(5, counted)}`)
  }
  console.log(`2,000 sites that do not match: ${yield* times(101, page({ documentType: "other" }))}`)
})

const server = await findServer()
if (server === undefined) throw new Error("there is no Postgres")
const client = PgClient.layer({ url: Redacted.make(server.url), schema, queryTimeout: "10 minutes" })
const drop = PgClient.use(({ run, schema }) =>
  run({ operation: "drop", text: `drop schema if exists ${schema} cascade` })
)

try {
  await Effect.runPromise(
    Effect.gen(function* () {
      yield* drop
      yield* prepare(server.url)
      yield* measure
      yield* drop
    }).pipe(Effect.provide(Layer.provideMerge(layerPorts, client)))
  )
} finally {
  await server.stop()
}
