/**
 * Effects of size: a page in the middle of a large organisation and its first page, a small
 * organisation among many, and the memory of a portfolio with a tenth of all sites. Prints figures
 * without limits.
 *
 * `DATABASE_URL` is the server; by default one is started for the run. `SITES` and `ORGANISATIONS`
 * are the numbers of rows.
 */
import { execFileSync } from "node:child_process"
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import type { OrganisationId, SiteId } from "@solar-sites/core"
import { portfolioMethods, siteMethods } from "@solar-sites/testing"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { findServer } from "../EmbeddedPostgres.ts"
import { type Serving, serving } from "../faults/Serving.ts"
import { generate, generated } from "./Generate.ts"
import { progressBar } from "./ProgressBar.ts"

const { ORGANISATIONS = "1000", SITES = "1000000" } = process.env
const sizes = { organisations: Number(ORGANISATIONS), sites: Number(SITES) }
const schema = "solar_scale"
const round = (value: number, digits = 1) => Number(value.toFixed(digits))

/** Medians of alternating runs, in milliseconds. */
const medians = Effect.fnUntraced(function* (tasks: ReadonlyArray<Effect.Effect<unknown, unknown>>, runs = 400) {
  const times: ReadonlyArray<Array<number>> = tasks.map(() => [])
  for (let run = 0; run < runs; run++) {
    for (const [index, task] of tasks.entries()) {
      const started = performance.now()
      yield* task
      times[index]?.push(performance.now() - started)
    }
  }
  return times.map((all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN)
})

const idOf = (organisationId: OrganisationId, share: number) =>
  Effect.gen(function* () {
    const { run, schema } = yield* PgClient
    const text = `select id::text from ${schema}.site where organisation_id = $1::uuid order by id
      offset floor((select count(*) from ${schema}.site where organisation_id = $1::uuid) * ${share}) limit 1`
    const [row] = yield* run({ operation: "benchmark", text, parameters: [organisationId] })
    return row?.[0] as SiteId
  })

const pages = Effect.gen(function* () {
  const sites = yield* siteMethods
  const ids = yield* generated
  const [large, small] = [yield* ids.organisationId(0), yield* ids.organisationId(77)]
  const after = [null, yield* idOf(large, 0.5), yield* idOf(large, 0.999)]
  for (const limit of [50, 1_000]) {
    const [first = 0, middle = 0, last = 0, other = 0] = yield* medians([
      ...after.map((position) => sites.list(large, {}, { after: position, limit })),
      sites.list(small, {}, { after: null, limit })
    ])
    console.log(
      `page of ${limit}: first ${round(first, 2)} ms, in the middle ${round(middle, 2)} ms (${round(middle / first, 2)} times), ` +
        `at the end ${round(last, 2)} ms, first of a small organisation ${round(other, 2)} ms`
    )
  }
})

const residentMegabytes = ({ pid }: Serving): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1_024

const streaming = Effect.fnUntraced(function* (url: string) {
  const ids = yield* generated
  const service = yield* serving({ url, schema, organisationId: yield* ids.organisationId(0) })
  yield* Effect.promise(async () => {
    for (let count = 0; count < 20; count++) await service.send("GET /api/sites?limit=100")
    for (const line of ["GET /api/portfolios/with-sites", "GET /api/sites", "GET /api/portfolios/with-sites"]) {
      const before = residentMegabytes(service)
      let most = before
      const watch = setInterval(() => (most = Math.max(most, residentMegabytes(service))), 50)
      const { body, milliseconds, status } = await service.send(line)
      clearInterval(watch)
      console.log(
        `${line}: ${status}, ${round(body.length / 1e6)} MB in ${round(milliseconds / 1_000, 2)} s, ` +
          `memory from ${round(before)} to at most ${round(most)} MB (${round(most - before)} more)`
      )
    }
  })
})

const ending = Effect.gen(function* () {
  const ids = yield* generated
  const [organisationId, portfolioId] = [yield* ids.organisationId(0), yield* ids.portfolioId(0)]
  const portfolios = yield* portfolioMethods
  const started = performance.now()
  const at = yield* DateTime.now
  const outcome = yield* Effect.exit(portfolios.delete(organisationId, portfolioId, { at }))
  console.log(`delete of the large portfolio: ${outcome._tag} in ${round((performance.now() - started) / 1_000, 2)} s`)
})

const server = await findServer()
if (server === undefined) throw new Error("there is no Postgres")
const client = PgClient.layer({ url: Redacted.make(server.url), schema, queryTimeout: "10 minutes" })
const drop = PgClient.use(({ run, schema }) =>
  run({ operation: "drop", text: `drop schema if exists ${schema} cascade` })
)

const program = Effect.gen(function* () {
  yield* drop
  yield* migrate
  const started = performance.now()
  yield* generate(server.url, sizes, progressBar())
  console.log(
    `${sizes.sites} sites in ${sizes.organisations} organisations: ${round((performance.now() - started) / 1_000)} s`
  )
  yield* pages
  yield* streaming(server.url)
  yield* ending
  yield* drop
})

try {
  await Effect.runPromise(Effect.scoped(Effect.provide(program, Layer.provideMerge(layerPorts, client))))
} finally {
  await server.stop()
}
