import { assert, describe, it } from "@effect/vitest"
import { distribute, layerPorts, migrate, PgClient, withMigrations } from "@solar-sites/adapter-postgres"
import { EventRepository, ExternalId, eventOrigins, OrganisationRepository } from "@solar-sites/core"
import { anOrganisation, aSite, siteMethods } from "@solar-sites/testing"
import { Clock, Effect, Layer, Option } from "effect"
import postgres from "postgres"
import { afterAll, beforeAll } from "vitest"
import { recording } from "./CitusCalls.ts"
import { type CitusCluster, startCitus, withoutCitus } from "./CitusCluster.ts"
import { distributed, onCluster } from "./CitusDatabase.ts"
import { randomSchema, shared } from "./Databases.ts"
import { conforms, furtherKinds, furtherTables, largestMaximum, unlimitedSteps, withOtherValues } from "./Suites.ts"
import { everyMethod } from "./scale/EveryMethod.ts"
import { methodNames } from "./scale/MethodNames.ts"
import { withConstants } from "./Texts.ts"

/** Methods of all organisations that read all shards. */
const reading = /\.(findDue|findEnding|findUndispatched|findOrganisations|oldestPending)$/
/** Methods of tables that every node has. */
const ofReferences = /^(ApiKeyStore|OrganisationRepository)\./

const connect = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => postgres(url, { max: 4, fetch_types: false, onnotice: () => {} })),
    (sql) => Effect.promise(() => sql.end({ timeout: 1 }))
  )

let cluster: CitusCluster
let url = ""

beforeAll(async () => {
  if (withoutCitus) return
  cluster = await startCitus()
  url = cluster.url
})

afterAll(() => cluster?.stop())

/** A schema without tables. */
const breakDatabase = () =>
  Layer.suspend(() => Layer.provide(layerPorts, PgClient.layer(onCluster(url, randomSchema()))))

conforms("citus", shared(Effect.suspend(() => distributed(url))), withoutCitus, {
  breakDatabase,
  without: [withOtherValues, unlimitedSteps, furtherKinds, furtherTables, largestMaximum]
})

describe.skipIf(withoutCitus)("a schema that is distributed over Citus", () => {
  it.live("answers every method of an organisation on one shard, to a role that may read and write only", () =>
    Effect.gen(function* () {
      const schema = randomSchema()
      const owner = PgClient.layer(onCluster(url, schema))
      yield* Effect.andThen(migrate, distribute).pipe(Effect.provide(owner))

      const owning = yield* connect(url)
      yield* Effect.promise(() =>
        owning.unsafe(`create role ${schema}_server login; grant usage on schema ${schema} to ${schema}_server;
          grant select, insert, update, delete on all tables in schema ${schema} to ${schema}_server`)
      )
      const sql = yield* connect(url.replace("postgres@", `${schema}_server@`))
      const { calls, service } = recording(sql, schema)
      const names = yield* Effect.gen(function* () {
        const organisation = anOrganisation()
        yield* (yield* OrganisationRepository).insert(organisation)
        yield* everyMethod(organisation.id)
        return yield* methodNames
      }).pipe(Effect.provide(layerPorts), Effect.provideService(PgClient, service))

      const sent = calls.filter(
        ({ operation, text }) => operation !== "" && !/to_regproc|node_organisations/.test(text)
      )
      assert.deepStrictEqual([...new Set(sent.map(({ operation }) => operation))].sort(), [...names].sort())
      for (const { operation, text } of sent) {
        if (reading.test(operation)) assert.include(text, "on_node(", operation)
        else if (!ofReferences.test(operation)) assert.include(text, "on_shard(", operation)
        else assert.notInclude(text, "shard(", operation)
      }
      const onShard = new Map(
        sent.flatMap((call) => (call.text.includes("on_shard(") ? [[call.operation, call] as const] : []))
      )
      for (const { operation, parameters, text } of onShard.values()) {
        const explained = `explain ${withConstants(text, parameters)}`
        const plan = yield* Effect.promise(() => sql.unsafe(explained).values())
        assert.include(plan.flat().join("\n"), "Task Count: 1", operation)
      }
    })
  )

  it.live("stays as it is when it is distributed again, and follows migrations", () =>
    Effect.gen(function* () {
      const schema = randomSchema()
      const tables = yield* Effect.andThen(migrate, distribute).pipe(
        Effect.provide(PgClient.layer(onCluster(url, schema)))
      )
      assert.include(tables, "site")
      assert.include(tables, "organisation")
      const billing = withMigrations([
        {
          name: "billing_0001_invoices",
          sql: (schema) => `
            alter table ${schema}.organisation add column region text not null default 'north';
            alter table ${schema}.site add column invoice text;
            create table ${schema}.billing_invoice (
              organisation_id uuid references ${schema}.organisation (id) on delete cascade
            );`
        }
      ])
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* billing.migrate, ["billing_0001_invoices"])
        assert.deepStrictEqual(yield* distribute, [])
        const bound = Layer.provide(layerPorts, PgClient.layer(onCluster(url, schema, { rowLevelSecurity: true })))
        const list = Effect.flatMap(siteMethods, ({ list }) => list(anOrganisation().id, {}, { after: null, limit: 1 }))
        const { cause } = yield* Effect.flip(Effect.provide(list, Layer.fresh(bound)))
        assert.match(String(cause), /row-level security does not work/)
        const client = yield* PgClient
        const organisations = yield* OrganisationRepository
        const organisation = anOrganisation()
        yield* organisations.insert(organisation)
        yield* client.run({
          operation: "test",
          text: `insert into ${client.schema}.billing_invoice values ('${organisation.id}')`
        })
        const site = aSite({ organisationId: organisation.id })
        yield* (yield* siteMethods).insert(organisation.id, site)
        assert.isFalse(yield* organisations.delete(organisation.id))
        yield* (yield* siteMethods).delete(organisation.id, site.id)
        assert.isTrue(yield* organisations.delete(organisation.id))
        assert.isTrue(Option.isNone(yield* organisations.findById(organisation.id)))
        const [[left] = []] = yield* client.run({
          operation: "test",
          text: `select count(*)::text from ${client.schema}.billing_invoice`
        })
        assert.strictEqual(left, "0")
      }).pipe(Effect.provide(Layer.provideMerge(layerPorts, PgClient.layer(onCluster(url, schema)))))
    })
  )

  it.live("refuses a schema with a name that cannot be replaced in texts", () =>
    Effect.gen(function* () {
      for (const name of ["50%", "o'clock"]) {
        const { cause } = yield* Effect.flip(Effect.provide(distribute, PgClient.layer(onCluster(url, name))))
        assert.match(String(cause), /no apostrophe and no percent sign/)
      }
    })
  )

  it.live("names the broken rule when the coordinator holds the shards", () =>
    Effect.gen(function* () {
      const sql = yield* connect(url)
      const setHolder = (port: number, holds: boolean) =>
        sql`select citus_set_node_property('127.0.0.1', ${port}, 'shouldhaveshards', ${holds})`
      const coordinator = Number(new URL(url).port)
      const setCoordinator = (holds: boolean) =>
        Effect.promise(async () => {
          await setHolder(coordinator, holds)
          for (const { port } of cluster.workers) await setHolder(port, !holds)
        })
      yield* Effect.acquireRelease(setCoordinator(true), () => setCoordinator(false))
      yield* Effect.gen(function* () {
        const sites = yield* siteMethods
        const absent = anOrganisation()
        const foreign = yield* Effect.flip(sites.insert(absent.id, aSite({ organisationId: absent.id })))
        assert.strictEqual(foreign._tag, "OrganisationNotFound")
        const { id } = anOrganisation()
        yield* (yield* OrganisationRepository).insert(anOrganisation({ id }))
        const site = aSite({ organisationId: id, externalId: ExternalId.make("A-1") })
        yield* sites.insert(id, site)
        const twice = yield* Effect.flip(
          sites.insert(id, { ...aSite(), organisationId: id, externalId: site.externalId })
        )
        assert.strictEqual(twice._tag, "ExternalIdTaken")
      }).pipe(Effect.provide(Layer.effectContext(distributed(url))))
    })
  )

  it.live("takes the times of events of organisations from the clock, also after a clock was ahead", () =>
    Effect.gen(function* () {
      const organisation = anOrganisation()
      const organisations = yield* OrganisationRepository
      yield* organisations.insert(organisation)
      const insertion = Effect.flatMap(siteMethods, (sites) =>
        sites.insert(organisation.id, aSite({ organisationId: organisation.id }))
      )
      const clock = yield* Clock.Clock
      const now = clock.currentTimeMillisUnsafe()
      const ahead = now + 90_000_000
      const early: Clock.Clock = Object.create(clock, { currentTimeMillisUnsafe: { value: () => ahead } })
      yield* Effect.provideService(insertion, Clock.Clock, early)
      yield* organisations.update(organisation.id, { name: "Renamed" }, yield* (yield* eventOrigins)(organisation.id))
      const page = { after: null, limit: 1_000, order: "asc" } as const
      const { items } = yield* (yield* EventRepository).list(organisation.id, {}, page)
      const times = items.slice(-2).map(({ occurredAt }) => occurredAt.epochMilliseconds)
      assert.strictEqual(times[0], ahead)
      assert.isBelow(times[1] ?? ahead, now + 3_600_000)
    }).pipe(Effect.provide(Layer.effectContext(distributed(url))))
  )
})
