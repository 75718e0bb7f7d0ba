import { assert, describe, it } from "@effect/vitest"
import { distribute, layer, migrate, PgClient, type PgPorts } from "@solar-sites/adapter-postgres"
import { EventRepository, type Organisation, OrganisationRepository, type SiteId } from "@solar-sites/core"
import { anOrganisation, aSite, siteMethods } from "@solar-sites/testing"
import { type Context, Effect, Fiber, Layer, Schedule } from "effect"
import { withoutCitus } from "../CitusCluster.ts"
import { aCluster, onCluster } from "../CitusDatabase.ts"

/** The port of the worker with the shard of an organisation. */
const workerOf = ({ id }: Organisation) =>
  Effect.gen(function* () {
    const { run, schema } = yield* PgClient
    const [[port] = []] = yield* run({
      operation: "test",
      text: `select n.nodeport::text from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
        where p.shardid = get_shard_id_for_distribution_column('${schema}.site', '${id}')`
    })
    return Number(port)
  })

/** Inserts sites one after the other until `stop`. `stored` are acknowledged. */
const writing = Effect.fnUntraced(function* (organisation: Organisation) {
  const repository = yield* siteMethods
  const stored: Array<SiteId> = []
  const failures: Array<{ readonly error: { readonly _tag: string }; readonly millis: number }> = []
  const insert = Effect.suspend(() => {
    const site = aSite({ organisationId: organisation.id })
    const startedAt = performance.now()
    return repository.insert(organisation.id, site).pipe(
      Effect.match({
        onSuccess: ({ id }) => void stored.push(id),
        onFailure: (error) => void failures.push({ error, millis: performance.now() - startedAt })
      })
    )
  })
  let isStopped = false
  const fiber = yield* Effect.forkScoped(
    Effect.repeat(Effect.andThen(insert, Effect.sleep(1)), { until: () => isStopped })
  )
  const stop = Effect.suspend(() => {
    isStopped = true
    return Fiber.join(fiber)
  })
  return { stored, failures, stop }
})

const until = (condition: () => boolean) =>
  Effect.suspend(() => (condition() ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.retry(Schedule.spaced("20 millis")),
    Effect.timeout("30 seconds")
  )

/** Each acknowledged site is there once, with one event, and the sequence of events has no gap. */
const check = Effect.fnUntraced(function* ({ id }: Organisation, stored: ReadonlyArray<SiteId>) {
  const sites: Array<SiteId> = []
  const repository = yield* siteMethods
  let after: SiteId | null = null
  while (true) {
    const page = yield* repository.list(id, {}, { after, limit: 1_000 })
    sites.push(...page.items.map((site) => site.id))
    after = sites.at(-1) ?? null
    if (!page.hasMore) break
  }
  assert.deepStrictEqual(
    stored.filter((site) => !sites.includes(site)),
    []
  )
  const events = yield* (yield* EventRepository).list(
    id,
    { type: ["site.created"] },
    { after: null, limit: 10_000, order: "asc" }
  )
  assert.deepStrictEqual(events.items.map(({ subject }) => subject.id).sort(), [...sites].sort())
  assert.deepStrictEqual(
    events.items.map(({ sequence }) => sequence),
    events.items.map((_, index) => index + 1)
  )
})

describe.skipIf(withoutCitus)("writers on Citus", () => {
  it.live(
    "go on while shards move, and while the worker of others is down; nothing acknowledged is lost",
    () =>
      Effect.gen(function* () {
        const { url, workers } = yield* aCluster([])
        const options = onCluster(url, "solar", { queryTimeout: "20 seconds" })
        yield* Effect.andThen(migrate, distribute).pipe(Effect.provide(PgClient.layer(onCluster(url, "solar"))))
        const ports: Context.Context<PgPorts | PgClient> = yield* Layer.build(layer(options))
        yield* Effect.gen(function* () {
          const organisations: Array<readonly [Organisation, number]> = []
          const [first, second] = workers
          while (!workers.every(({ port }) => organisations.some(([, other]) => other === port))) {
            const organisation = anOrganisation()
            yield* (yield* OrganisationRepository).insert(organisation)
            organisations.push([organisation, yield* workerOf(organisation)])
          }
          const on = (port: number) => organisations.find(([, other]) => other === port)?.[0] ?? assert.fail("none")
          const [moved, kept] = [on(first.port), on(second.port)]
          const [moving, keeping] = [yield* writing(moved), yield* writing(kept)]
          yield* until(() => moving.stored.length > 5 && keeping.stored.length > 5)

          const { schema } = yield* PgClient
          const owner = PgClient.layer(onCluster(url, "solar", { queryTimeout: "60 seconds" }))
          const move = (from: number, to: number, mode: string) =>
            PgClient.use(({ run }) =>
              run({
                operation: "test",
                text: `select citus_move_shard_placement(
                get_shard_id_for_distribution_column('${schema}.site', '${moved.id}'),
                '127.0.0.1', ${from}, '127.0.0.1', ${to}, shard_transfer_mode => '${mode}')`
              })
            ).pipe(Effect.provide(owner))
          yield* move(first.port, second.port, "block_writes")
          assert.strictEqual(yield* workerOf(moved), second.port)
          yield* move(second.port, first.port, "force_logical")
          assert.strictEqual(yield* workerOf(moved), first.port)
          assert.deepStrictEqual([...moving.failures, ...keeping.failures], [])

          yield* Effect.promise(first.kill)
          yield* until(() => moving.failures.length > 2)
          const before = keeping.stored.length
          yield* until(() => keeping.stored.length > before + 5)
          assert.deepStrictEqual(keeping.failures, [])
          for (const { error, millis } of moving.failures) {
            assert.strictEqual(error._tag, "RepositoryError")
            assert.isBelow(millis, 25_000)
          }
          const acknowledged = moving.stored.length
          yield* Effect.promise(first.start)
          yield* until(() => moving.stored.length > acknowledged + 5)
          yield* Effect.andThen(moving.stop, keeping.stop)
          yield* check(moved, moving.stored)
          yield* check(kept, keeping.stored)
        }).pipe(Effect.scoped, Effect.provide(ports))
      }),
    120_000
  )
})
