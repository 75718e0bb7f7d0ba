import { assert, describe, it } from "@effect/vitest"
import { layerPorts, PgClient, type PgStatement } from "@solar-sites/adapter-postgres"
import {
  type Event,
  EventRepository,
  type OrganisationId,
  OrganisationRepository,
  RepositoryError
} from "@solar-sites/core"
import { anOrganisation, aPortfolio, aSite, portfolioMethods, siteMethods } from "@solar-sites/testing"
import { DateTime, Effect, Fiber, Layer, Random } from "effect"
import postgres from "postgres"
import { onPostgres, postgresUrl, withoutPostgres } from "./Databases.ts"
import { textIn, withConstants } from "./Texts.ts"

const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")

/** Reads the feed from its last event on, like a client that keeps the cursor. */
const reader = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const { list } = yield* EventRepository
  const seen: Array<Event> = []
  const readOn = Effect.gen(function* () {
    const after = seen.at(-1)?.sequence ?? null
    const { items } = yield* list(organisationId, {}, { after, limit: 7, order: "asc" })
    seen.push(...items)
    return items.length
  })
  return { seen, readOn }
})

const insertOrganisation = Effect.gen(function* () {
  const organisation = anOrganisation()
  yield* (yield* OrganisationRepository).insert(organisation)
  return organisation.id
})

const sequences = (events: ReadonlyArray<Event>) => events.map(({ sequence }) => sequence)

/** All that a writer does to its site, and the events of it. */
const life = ["created", "updated", "updated", "updated", "deleted"]

describe.skipIf(withoutPostgres)("the feed of events", () => {
  it.live("has no gaps for a reader beside sixteen writers", () =>
    Effect.gen(function* () {
      const sites = yield* siteMethods
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation
      const portfolio = aPortfolio({ organisationId })
      yield* portfolios.insertMany(organisationId, [portfolio])
      const pause = Effect.flatMap(Random.nextIntBetween(0, 3), (turns) =>
        Effect.repeat(Effect.yieldNow, { times: turns })
      )
      const write = Effect.gen(function* () {
        const site = aSite({ organisationId, portfolioId: (yield* Random.nextBoolean) ? portfolio.id : null })
        yield* sites.insert(organisationId, site)
        for (const capacity of [1, 2, 3]) {
          yield* pause
          yield* sites.update(organisationId, site.id, { capacity }, { at })
        }
        yield* sites.delete(organisationId, site.id)
        return site.id
      })
      const { readOn, seen } = yield* reader(organisationId)
      const writers = yield* Effect.forEach(Array.from({ length: 300 }), () => write, { concurrency: 16 }).pipe(
        Effect.forkChild
      )
      while (writers.pollUnsafe() === undefined) yield* readOn
      const siteIds = yield* Fiber.join(writers)
      while ((yield* readOn) > 0) {}

      assert.strictEqual(seen.length, 1 + siteIds.length * life.length)
      assert.deepStrictEqual(
        sequences(seen),
        seen.map((_, index) => index + 1),
        "one after the other"
      )
      for (const siteId of siteIds) {
        const types = seen.filter(({ subject }) => subject.id === siteId).map(({ type }) => type)
        assert.deepStrictEqual(
          types,
          life.map((name) => `site.${name}`)
        )
      }
    }).pipe(Effect.provide(Layer.effectContext(onPostgres({ poolSize: 16 }))))
  )

  it.live("waits for a transaction that is still open, in its organisation alone", () =>
    Effect.gen(function* () {
      const sites = yield* siteMethods
      const [organisationId, other] = [yield* insertOrganisation, yield* insertOrganisation]
      const site = aSite({ organisationId })
      yield* sites.insert(organisationId, site)
      const update = (capacity: number) => sites.update(organisationId, site.id, { capacity }, { at })

      const client = yield* PgClient
      const held = aSite({ organisationId, siteName: "Held" })
      const refused = aSite({ organisationId: other, siteName: "Not recorded" })
      yield* sites.insert(organisationId, held)
      yield* sites.insert(other, refused)

      // The statement of an update, to be run by a connection that does not commit.
      let statement: PgStatement | undefined
      const unsent = new RepositoryError({ operation: "test", retryable: false, cause: new Error("not sent") })
      const service = PgClient.of({
        ...client,
        run: (recorded) =>
          Effect.suspend(() => {
            statement = recorded
            return Effect.fail(unsent)
          })
      })
      yield* Effect.flatMap(siteMethods, ({ update }) =>
        Effect.flip(update(organisationId, held.id, { capacity: 9 }, { at }))
      ).pipe(Effect.provide(layerPorts.pipe(Layer.provide(Layer.succeed(PgClient, service)))))
      if (statement === undefined) return assert.fail("no statement")
      const { parameters = [], text } = statement

      const { readOn, seen } = yield* reader(organisationId)
      while ((yield* readOn) > 0) {}
      const before = seen.length

      const connection = yield* Effect.acquireRelease(
        Effect.sync(() => postgres(postgresUrl, { max: 1, fetch_types: false })),
        (sql) => Effect.promise(() => sql.end({ timeout: 1 }))
      )
      yield* Effect.promise(async () => {
        await connection.unsafe("begin")
        await connection.unsafe(withConstants(textIn(client.schema, text), parameters))
      })
      const waiting = yield* Effect.forkChild(update(11))
      const isWaiting = Effect.map(
        client.run({
          operation: "test",
          text: "select 1 from pg_stat_activity where wait_event_type = 'Lock' and position($1::text in query) > 0",
          parameters: [client.schema]
        }),
        (rows) => rows.length > 0
      )
      while (!(yield* isWaiting)) yield* Effect.sleep("5 millis")
      // Other organisations do not wait.
      yield* sites.update(other, refused.id, { capacity: 3 }, { at })
      yield* readOn
      assert.strictEqual(seen.length, before, "nothing is visible before the open transaction ends")
      assert.strictEqual(waiting.pollUnsafe(), undefined, "a later change waits")

      yield* Effect.promise(() => connection.unsafe("commit"))
      yield* Fiber.join(waiting)
      while ((yield* readOn) > 0) {}
      const subjects = seen.slice(before).map(({ subject }) => subject.id)
      assert.deepStrictEqual(subjects, [held.id, site.id], "first the change that was open")
      assert.deepStrictEqual(
        sequences(seen),
        [...new Set(sequences(seen))].sort((a, b) => a - b)
      )
    }).pipe(Effect.scoped, Effect.provide(Layer.effectContext(onPostgres())))
  )
})
