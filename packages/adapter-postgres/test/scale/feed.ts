/**
 * Times of the feed of events: pages of 100 of an organisation with a million events against one
 * with ten thousand, for each filter. Prints medians.
 *
 * `DATABASE_URL` is the server; by default one is started for the run. `EVENTS` is the number of
 * events of the large organisation.
 */
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import { type EventConditions, EventRepository, type OrganisationId } from "@solar-sites/core"
import { anOrganisation } from "@solar-sites/testing"
import { DateTime, Effect, Layer, Redacted } from "effect"
import postgres from "postgres"
import { findServer } from "../EmbeddedPostgres.ts"

const schema = `solar_feed_${process.pid}`
const calls = 21
const rowsPerStep = 50_000

/** The id of the n-th site, document, key or user, given SQL or a number. */
const uuid = (kind: string, n: string | number) => `md5('${kind}' || (${n}))::uuid`

/** A hundred events per site. One event of ten thousand is a deleted portfolio. */
const insertEvents = (organisationId: OrganisationId, from: number, to: number): string => `
  insert into ${schema}.event (
    organisation_id, sequence, id, type, occurred_at, user_id, api_key_id, key_prefix, subject_id, subject_name,
    site_id, changes, request_id
  )
  select '${organisationId}', n, ${uuid("event", "n")},
         case when n % 10000 = 0 then 'portfolio.deleted' when n % 10 = 0 then 'site.updated' else 'document.uploaded' end,
         timestamptz '2026-01-01T00:00:00Z' + n * interval '10 seconds', 'user-' || n % 1000,
         ${uuid("key", "n % 100")}, 'sk_live_', ${uuid("document", "n / 10")}, 'report.pdf', ${uuid("site", "n / 100")},
         '{"status":{"from":"pending","to":"uploaded"}}', 'request'
  from generate_series(${from}::bigint, ${to}) n`

const median = (all: ReadonlyArray<number>) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

const sizes = [10_000, Number(process.env["EVENTS"] ?? "1000000")]

const program = (url: string) =>
  Effect.gen(function* () {
    yield* migrate
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    const organisations = sizes.map((count) => ({ count, organisationId: anOrganisation().id }))
    yield* Effect.promise(async () => {
      for (const { count, organisationId } of organisations) {
        await sql.unsafe(`insert into ${schema}.event_sequence values ('${organisationId}', ${count}, now())`)
        for (let from = 1; from <= count; from += rowsPerStep) {
          await sql.unsafe(insertEvents(organisationId, from, Math.min(from + rowsPerStep - 1, count)))
        }
      }
      await sql.unsafe(`vacuum analyze ${schema}.event`)
      await sql.end()
    })

    const { list } = yield* EventRepository
    const middle = (count: number) => Math.floor(count / 2)
    const works: Readonly<Record<string, (count: number) => readonly [EventConditions, number | null]>> = {
      "first page": () => [{}, null],
      "middle page": (count) => [{}, middle(count)],
      "last page": (count) => [{}, count - 100],
      "a rare type, from the middle": (count) => [{ type: ["portfolio.deleted"] }, middle(count)],
      "document.*, from the middle": (count) => [{ type: ["document.*"] }, middle(count)],
      "one user": () => [{ actorId: "user-7" }, null],
      "from an instant": (count) => [{ from: DateTime.makeUnsafe(Date.UTC(2026, 0, 1) + middle(count) * 10_000) }, null]
    }
    for (const [what, request] of Object.entries(works)) {
      const medians: Array<number> = []
      for (const { count, organisationId } of organisations) {
        const [conditions, after] = request(count)
        const took: Array<number> = []
        for (let call = 0; call < calls; call++) {
          const started = performance.now()
          yield* list(organisationId, conditions, { after, limit: 100, order: "asc" })
          took.push(performance.now() - started)
        }
        medians.push(median(took))
      }
      const [small = Number.NaN, large = Number.NaN] = medians
      const ratio = (large / small).toFixed(2)
      console.log(`${what.padEnd(32)}${small.toFixed(2).padStart(8)} ms ${large.toFixed(2).padStart(8)} ms ${ratio} ×`)
    }
  })

const server = await findServer()
if (server === undefined) throw new Error("there is no Postgres")
try {
  const client = PgClient.layer({ url: Redacted.make(server.url), schema })
  const ports = layerPorts.pipe(Layer.provideMerge(client))
  await Effect.runPromise(Effect.provide(program(server.url), ports))
} finally {
  await server.stop()
}
