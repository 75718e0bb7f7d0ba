/**
 * Effects of growth: every port method in an organisation of a thousand sites, beside few and many
 * others, alternating on one server. Prints a table. Exits with 1 when a method of one organisation
 * takes more than 1.3 times as long as with the fewest sites. Methods across organisations are
 * printed only: they read what is due of each organisation.
 *
 * Arguments are the numbers of sites (default `10000 1000000`). `DATABASE_URL` is the server; by
 * default one is started for the run. `ROUNDS` is the number of calls of each method.
 */
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import { Effect, Layer, Redacted } from "effect"
import { findServer } from "../EmbeddedPostgres.ts"
import { everyMethod } from "./EveryMethod.ts"
import { generate, generated } from "./Generate.ts"
import { progressBar } from "./ProgressBar.ts"

const { ROUNDS = "200" } = process.env
const rounds = Number(ROUNDS)
const given = process.argv.slice(2).filter((argument) => argument !== "--")
const sizes = (given.length > 0 ? given : ["10000", "1000000"]).map(Number)
if (sizes.some((size) => !(size >= 10_000))) throw new Error("a size is a number of sites, at least 10000")
const warmUp = 20
const mostTimes = 1.3
/** Equal in all schemas, so that pages are equally large. */
const sitesPerOrganisation = 1_000
/** Limit of the sweeper: at most the pending documents of the smallest schema. */
const claims = 20

const acrossOrganisations = [
  "DocumentMaintenance.findDue",
  "DocumentMaintenance.findEnding",
  "EventRepository.findOrganisations",
  "IdempotencyStore.findOrganisations",
  "OrganisationRepository.list",
  "WebhookQueue.findDue",
  "WebhookQueue.findOrganisations",
  "WebhookQueue.findUndispatched",
  "WebhookQueue.oldestPending"
]

/** Milliseconds of each call, by port method. */
type Times = Map<string, Array<number>>

/** A client, and the time of all statements of each port method since the last call. */
const timing = (client: PgClient["Service"]) => {
  let spent = new Map<string, number>()
  const timed = <A, E>(operation: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const started = performance.now()
      return Effect.tap(effect, () =>
        Effect.sync(() => spent.set(operation, (spent.get(operation) ?? 0) + performance.now() - started))
      )
    })
  const service: PgClient["Service"] = {
    ...client,
    run: (statement) => timed(statement.operation, client.run(statement)),
    batch: (statement) => {
      const run = client.batch(statement)
      return (...item) => timed(statement.operation, run(...item))
    }
  }
  const take = () => {
    const taken = spent
    spent = new Map()
    return taken
  }
  return { service, take }
}

/** A filled schema, and a round of all methods in an organisation of a thousand sites. */
const contestant = Effect.fnUntraced(function* (url: string, sites: number) {
  const schema = `solar_growth_${sites}`
  const client = yield* Layer.build(PgClient.layer({ url: Redacted.make(url), schema, queryTimeout: "10 minutes" }))
  return yield* Effect.gen(function* () {
    const direct = yield* PgClient
    const run = (text: string) => direct.run({ operation: "growth", text })
    yield* run(`drop schema if exists ${schema} cascade`)
    yield* Effect.addFinalizer(() => Effect.ignore(run(`drop schema if exists ${schema} cascade`)))
    yield* migrate
    const started = performance.now()
    yield* generate(url, { organisations: sites / sitesPerOrganisation, sites }, progressBar())
    const seconds = (performance.now() - started) / 1_000
    const [bytes] = yield* run(`select sum(pg_total_relation_size(c.oid)) / 1e6 from pg_class c
      where c.relnamespace = '${schema}'::regnamespace and c.relkind = 'r'`)
    console.log(`${sites} sites: ${Number(bytes?.[0]).toFixed(0)} MB, filled in ${seconds.toFixed(0)} s`)
    const organisationId = yield* (yield* generated).organisationId(7)
    const { service, take } = timing(direct)
    const ports = yield* Layer.build(Layer.provide(layerPorts, Layer.succeed(PgClient, service)))
    const round = Effect.gen(function* () {
      take()
      yield* Effect.provide(everyMethod(organisationId, claims), ports)
      const taken = take()
      // The sweeper finds the same documents in the next round.
      yield* run(`update ${schema}.document set look_at = '2026-01-01'
        where organisation_id = '${organisationId}' and look_at = '2026-06-01T12:01:00Z'`)
      // Nor do deliveries of the rounds pile up.
      yield* run(`delete from ${schema}.webhook_delivery
        where organisation_id = '${organisationId}' and event_sequence is not null`)
      return taken
    })
    const times: Times = new Map()
    return { round, times }
  }).pipe(Effect.provideContext(client))
})

const median = (all: ReadonlyArray<number> = []) =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

const program = Effect.fnUntraced(function* (url: string) {
  const contestants = yield* Effect.forEach(sizes, (sites) => contestant(url, sites))
  for (let round = 0; round < warmUp + rounds; round++) {
    // The order alternates.
    for (const { round: run, times } of round % 2 === 0 ? contestants : contestants.toReversed()) {
      const taken = yield* run
      if (round < warmUp) continue
      for (const [operation, milliseconds] of taken) {
        times.set(operation, [...(times.get(operation) ?? []), milliseconds])
      }
    }
  }
  const operations = [...(contestants[0]?.times.keys() ?? [])].sort()
  const rows = operations.map((operation) => {
    const medians = contestants.map(({ times }) => median(times.get(operation)))
    const isJudged = !acrossOrganisations.includes(operation)
    return { operation, medians, isJudged, times: Math.max(...medians) / (medians[0] ?? Number.NaN) }
  })
  const heads = [...sizes, "times"].map((head) => String(head).padStart(10)).join("")
  console.log(`${"milliseconds of all its statements".padEnd(40)}${heads}`)
  for (const { isJudged, medians, operation, times } of rows) {
    const figures = [...medians, times].map((figure) => figure.toFixed(2).padStart(10)).join("")
    const judgement = !isJudged ? "  across organisations" : times > mostTimes ? "  too slow" : ""
    console.log(`${operation.padEnd(40)}${figures}${judgement}`)
  }
  const worst = Math.max(...rows.filter(({ isJudged }) => isJudged).map(({ times }) => times))
  console.log(`at most ${worst.toFixed(2)} times; the aim is ${mostTimes}`)
  return worst <= mostTimes
})

const server = await findServer()
if (server === undefined) throw new Error("there is no Postgres")
try {
  const kept = await Effect.runPromise(Effect.scoped(program(server.url)))
  process.exitCode = kept ? 0 : 1
} finally {
  await server.stop()
}
