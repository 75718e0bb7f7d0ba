/**
 * Cost of writes in one organisation, alone and 50 at a time. Prints medians of rounds.
 *
 * `DATABASE_URL` is the server; by default one is started for the run, without fsync. The copy of this
 * file in another commit measures that commit.
 */
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import { OrganisationRepository } from "@solar-sites/core"
import { anOrganisation, aSite, siteMethods } from "@solar-sites/testing"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { findServer } from "../EmbeddedPostgres.ts"

const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")
const rounds = 9
const calls = 500

const median = (all: ReadonlyArray<number>) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

const program = Effect.gen(function* () {
  yield* migrate
  const [organisations, sites] = [yield* OrganisationRepository, yield* siteMethods]
  const { id } = yield* Effect.tap(
    Effect.sync(() => anOrganisation()),
    organisations.insert
  )
  const stored = Array.from({ length: calls }, () => aSite({ organisationId: id }))
  yield* Effect.forEach(stored, (site) => sites.insert(id, site), { concurrency: 50 })
  let name = 0
  const update = (index: number) =>
    sites.update(id, stored[index]?.id ?? aSite().id, { siteName: `Site ${name++}` }, { at })
  const insert = () => sites.insert(id, aSite({ organisationId: id }))

  const works: Readonly<Record<string, (index: number) => Effect.Effect<unknown, unknown>>> = {
    "insert a site": insert,
    "update a site": update
  }
  const took = new Map<string, Array<number>>()
  for (let round = 0; round < rounds + 2; round++) {
    for (const [what, work] of Object.entries(works)) {
      for (const concurrency of [1, 50]) {
        const started = performance.now()
        yield* Effect.forEach(Array.from({ length: calls }).keys(), work, { concurrency })
        const label = `${what}, ${concurrency} at a time`
        const microseconds = ((performance.now() - started) * 1_000) / calls
        // The first rounds warm up.
        if (round >= 2) took.set(label, [...(took.get(label) ?? []), microseconds])
      }
    }
  }
  for (const [label, all] of took) console.log(`${label.padEnd(40)}${median(all).toFixed(0).padStart(8)} µs each`)
})

const server = await findServer()
if (server === undefined) throw new Error("there is no Postgres")
try {
  const client = PgClient.layer({ url: Redacted.make(server.url), schema: `solar_writes_${process.pid}` })
  const ports = layerPorts.pipe(Layer.provideMerge(client))
  await Effect.runPromise(Effect.provide(program, ports))
} finally {
  await server.stop()
}
