/**
 * Times of the announcement of validity in one organisation with 10,000 sites and 1,000,000 current documents: the
 * look-up when none is due, the examination of those that a longer notice makes candidates, and the effect of
 * 100,000 due documents on a list. `DATABASE_URL` is the server; by default one is started for the run.
 * `DOCUMENTS` is the number of documents.
 */
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import {
  DocumentMaintenance,
  dayOf,
  type EndingConditions,
  type EndingPosition,
  requirementListRecords,
  SolarSitesServices
} from "@solar-sites/core"
import { aPortfolio, aRequirement, MemoryDocumentStorage, siteMethods } from "@solar-sites/testing"
import { DateTime, Duration, Effect, Fiber, Layer, Redacted } from "effect"
import postgres from "postgres"
import { findServer } from "../EmbeddedPostgres.ts"

const count = Number(process.env["DOCUMENTS"] ?? "1000000")
const sites = 10_000
const schema = "solar_validity"
const daysAhead = (days: number) => dayOf(DateTime.addDuration(DateTime.nowUnsafe(), Duration.days(days)))
const [today, year] = [daysAhead(0), daysAhead(365)]
/** Callers that read pages, one after the other each. */
const readers = [1, 20]
const pages = 10_000
const pageOf = (atOnce: number) => `page of 50 sites, ${atOnce} at once`
const { id: portfolioId, organisationId } = aPortfolio()

const id = (n: string) =>
  `(lpad(to_hex(1767225600000 + ${n}), 12, '0') || '7' || left(md5((${n})::text), 3) || '8' || substr(md5((${n})::text), 4, 15))::uuid`

const fill = (url: string) =>
  Effect.promise(async () => {
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    await sql.unsafe(`insert into ${schema}.organisation values ('${organisationId}', 'Large', 'active')`)
    await sql.unsafe(
      `insert into ${schema}.portfolio values ('${organisationId}', '${portfolioId}', 'A', now(), now(), 1)`
    )
    await sql.unsafe(`insert into ${schema}.site (organisation_id, id, site_name, capacity, unit, kilowatts_per_unit,
        created_at, updated_at, version)
      select '${organisationId}', ${id("n")}, 'Site ' || n, 1, 'kW', 1, now(), now(), 1 from generate_series(1, ${sites}) n`)
    for (let from = 0; from < count; from += 50_000) {
      await sql.unsafe(`insert into ${schema}.document (organisation_id, id, site_id, type, document_type, filename,
          status, mime_type, created_at, updated_at, version, address_expires_at, valid_until)
        select '${organisationId}', ${id("n")}, ${id(`(1 + n % ${sites})`)}, 'documents', 'insurance', 'a.pdf', 'uploaded',
               'application/pdf', now(), now(), 1, now(), date '${daysAhead(61)}' + (n % 300)::int
        from generate_series(${from}, ${Math.min(from + 50_000, count) - 1}) n`)
    }
    await sql.unsafe(`vacuum analyze ${schema}.site`)
    await sql.unsafe(`vacuum analyze ${schema}.document`)
    return sql
  })

const timed = Effect.fnUntraced(function* <A, E, R>(
  name: string,
  runs: number,
  task: Effect.Effect<A, E, R>,
  atOnce = 1
) {
  const times: Array<number> = []
  const one = Effect.gen(function* () {
    const started = performance.now()
    yield* task
    times.push(performance.now() - started)
  })
  yield* Effect.forEach(Array.from({ length: runs }), () => one, { concurrency: atOnce, discard: true })
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(runs - 1, Math.floor(runs * part))]?.toFixed(2)
  console.log(`${name}: median ${at(0.5)} ms, p99 ${at(0.99)} ms`)
})

const measure = Effect.fnUntraced(function* (url: string) {
  const sql = yield* fill(url)
  const { findEnding, listEnding } = yield* DocumentMaintenance
  const { list } = yield* siteMethods
  yield* timed("look-up, none due", 201, findEnding({ today, notice: 30, after: null, limit: 1_000 }))

  const examine = (untilOf: EndingConditions["untilOf"]) =>
    Effect.gen(function* () {
      let after: EndingPosition | null = null
      do {
        const conditions = { today, until: year, untilOf }
        const page: { readonly items: ReadonlyArray<EndingPosition>; readonly hasMore: boolean } = yield* listEnding(
          organisationId,
          conditions,
          { after, limit: 2_000 }
        )
        after = page.hasMore ? (page.items.at(-1) ?? null) : null
      } while (after !== null)
    })
  yield* timed(`examination of ${count} candidates that are not due`, 1, examine({}))
  yield* timed(`the same when their type has a shorter notice`, 5, examine({ insurance: today }))

  const page = list(organisationId, {}, { after: null, limit: 50 })
  for (const atOnce of readers) yield* timed(`${pageOf(atOnce)}, alone`, pages, page, atOnce)
  yield* (yield* requirementListRecords).replace(organisationId, [aRequirement({ expiringWithinDays: 90 })], {
    at: yield* DateTime.now
  })
  yield* Effect.promise(() =>
    sql.unsafe(
      `update ${schema}.document set valid_until = '${daysAhead(19)}' where valid_until < date '${daysAhead(61)}' + 30`
    )
  )
  const announced = Effect.promise(async () => {
    const [row] = await sql<Array<{ count: number }>>`
      select count(*)::int from ${sql(schema)}.event where type = 'document.expiring'`
    return row?.count ?? 0
  })
  const announcer = yield* Effect.forkChild(
    Layer.launch(Layer.provide(SolarSitesServices.layer, MemoryDocumentStorage.layer))
  )
  while ((yield* announced) === 0) yield* Effect.sleep("100 millis")
  const before = { count: yield* announced, at: performance.now() }
  for (const atOnce of readers) yield* timed(`${pageOf(atOnce)}, beside announcements`, pages, page, atOnce)
  const seconds = (performance.now() - before.at) / 1_000
  const perSecond = ((yield* announced) - before.count) / seconds
  console.log(`${perSecond.toFixed(0)} documents announced per second meanwhile`)
  yield* Fiber.interrupt(announcer)
  yield* Effect.promise(() => sql.end())
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
      yield* migrate
      yield* measure(server.url)
      yield* drop
    }).pipe(Effect.provide(Layer.provideMerge(layerPorts, client)))
  )
} finally {
  await server.stop()
}
