/**
 * Time of bulk operations on 1,000 sites against single inserts one after the other. Prints medians
 * of rounds, each in one organisation.
 *
 * `DATABASE_URL` is the server; by default one is started for the run, without fsync.
 */
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import { OrganisationRepository, type Site, type SiteSave } from "@solar-sites/core"
import { anOrganisation, aSite, siteMethods } from "@solar-sites/testing"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { findServer } from "../EmbeddedPostgres.ts"

const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")
const rounds = 9
const count = 1_000

const median = (all: ReadonlyArray<number>) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

const program = Effect.gen(function* () {
  yield* migrate
  const [organisations, sites] = [yield* OrganisationRepository, yield* siteMethods]
  const times = new Map<string, Array<number>>()
  const timed = Effect.fnUntraced(function* <A, E>(what: string, round: number, work: Effect.Effect<A, E>) {
    const started = performance.now()
    yield* work
    // The first rounds warm up.
    if (round >= 2) times.set(what, [...(times.get(what) ?? []), performance.now() - started])
  })
  const changed = ({ externalId }: Site, siteName: string): SiteSave => ({
    site: null,
    changes: { externalId: externalId ?? "", siteName }
  })
  for (let round = 0; round < rounds + 2; round++) {
    const { id } = yield* Effect.tap(
      Effect.sync(() => anOrganisation()),
      organisations.insert
    )
    const make = (prefix: string) =>
      Array.from({ length: count }, (_, index) => aSite({ organisationId: id, externalId: `${prefix}-${index}` }))
    const single = make("single")
    const many = make("many")
    const save = (saves: ReadonlyArray<SiteSave>, dryRun = false) => sites.saveMany(id, saves, { at, dryRun })
    const created = many.map((site): SiteSave => ({ site, changes: null }))
    yield* timed(
      "1,000 single inserts",
      round,
      Effect.forEach(single, (site) => sites.insert(id, site))
    )
    yield* timed("dry run of 1,000 new sites", round, save(created, true))
    yield* timed("1,000 new sites", round, save(created))
    yield* timed("1,000 changed sites", round, save(many.map((site) => changed(site, "Changed"))))
    yield* timed("1,000 unchanged sites", round, save(many.map((site) => changed(site, "Changed"))))
  }
  for (const [what, all] of times) console.log(`${what.padEnd(30)}${median(all).toFixed(0).padStart(8)} ms`)
})

const server = await findServer()
if (server === undefined) throw new Error("there is no Postgres")
try {
  const client = PgClient.layer({ url: Redacted.make(server.url), schema: `solar_bulk_${process.pid}` })
  const ports = layerPorts.pipe(Layer.provideMerge(client))
  await Effect.runPromise(Effect.provide(program, ports))
} finally {
  await server.stop()
}
