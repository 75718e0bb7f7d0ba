import { assert, describe, it } from "@effect/vitest"
import { layerFrom, PgClient, type PgSql } from "@solar-sites/adapter-postgres"
import { DocumentMaintenance, OrganisationRepository, type Site, type SiteId } from "@solar-sites/core"
import { aDocument, anOrganisation, aSite, documentMethods, siteMethods } from "@solar-sites/testing"
import { DateTime, Effect, Layer, Random, Ref, Result } from "effect"
import postgres from "postgres"
import { onPostgres, postgresUrl, withoutPostgres } from "./Databases.ts"

const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")
const expiry = DateTime.add(at, { minutes: 1 })
const claim = (limit: number) => ({
  now: DateTime.add(at, { hours: 1 }),
  dueAgainAt: DateTime.add(at, { hours: 2 }),
  limit
})

const onOwnDatabase = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(onPostgres({ queryTimeout: "20 seconds" }), (ports) => Effect.provide(effect, ports))

const storedSites = Effect.fnUntraced(function* (count: number) {
  const organisation = anOrganisation()
  yield* (yield* OrganisationRepository).insert(organisation)
  const sites = Array.from({ length: count }, () => aSite({ organisationId: organisation.id }))
  const repository = yield* siteMethods
  yield* Effect.forEach(sites, (site) => repository.insert(site.organisationId, site), { concurrency: 8 })
  return sites
})

const documentsOf = ({ id, organisationId }: Site, count: number) =>
  Array.from({ length: count }, () => aDocument({ organisationId, siteId: id }))

const pathsIn = (table: "document" | "deleted_file") =>
  Effect.gen(function* () {
    const { run, schema } = yield* PgClient
    const id = table === "document" ? "id" : "document_id"
    const text = `select concat_ws('/', organisation_id, site_id, ${id}) from ${schema}.${table}`
    return (yield* run({ operation: "test", text })).map(([path]) => String(path)).sort()
  })

/** Fails on a deadlock, also when its statement was retried. */
const withoutDeadlocks = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { schema } = yield* PgClient
    const sql = yield* Effect.acquireRelease(
      Effect.sync(() => postgres(postgresUrl, { max: 10, fetch_types: false, onnotice: () => {} })),
      (open) => Effect.promise(() => open.end({ timeout: 1 }))
    )
    const codes: Array<unknown> = []
    const listening: PgSql = {
      options: sql.options,
      unsafe: (...statement) => ({
        values: () =>
          sql
            .unsafe(...statement)
            .values()
            .then(undefined, (cause: unknown) => {
              codes.push(Reflect.get(Object(cause), "code"))
              throw cause
            })
      })
    }
    // The name comes quoted.
    const database = layerFrom(listening, { schema: schema.slice(1, -1), queryTimeout: "20 seconds" })
    yield* Effect.provide(effect, Layer.fresh(database))
    assert.deepStrictEqual(codes, [])
  })

describe.skipIf(withoutPostgres)("documents in Postgres", () => {
  it.live("are deleted with their site while others are inserted, and each file is listed", () =>
    Effect.gen(function* () {
      const documents = yield* documentMethods
      const repository = yield* siteMethods
      const sites = yield* storedSites(60)
      const stored = yield* Ref.make<ReadonlyArray<string>>([])
      const refused = yield* Ref.make(0)

      const insert = (site: Site) =>
        Effect.gen(function* () {
          const batch = documentsOf(site, yield* Random.nextIntBetween(1, 5))
          const result = yield* Effect.result(documents.insertMany(site.organisationId, site.id, batch, expiry))
          if (Result.isSuccess(result)) return yield* Ref.update(stored, (all) => [...all, ...batch.map((d) => d.path)])
          assert.strictEqual(result.failure._tag, "SiteNotFound")
          yield* Ref.update(refused, (count) => count + 1)
        })
      yield* Effect.forEach(
        sites,
        (site, index) =>
          Effect.all(
            [
              ...Array.from({ length: 6 }, () => insert(site)),
              index % 4 === 0 ? Effect.void : repository.delete(site.organisationId, site.id),
              ...Array.from({ length: 3 }, () => insert(site))
            ],
            { concurrency: "unbounded" }
          ),
        { concurrency: 4 }
      )

      const kept = new Set<SiteId>(sites.filter((_, index) => index % 4 === 0).map(({ id }) => id))
      const isKept = (path: string) => [...kept].some((id) => path.includes(id))
      const all = [...(yield* Ref.get(stored))].sort()
      assert.deepStrictEqual(yield* pathsIn("document"), all.filter(isKept))
      assert.deepStrictEqual(
        yield* pathsIn("deleted_file"),
        all.filter((path) => !isKept(path))
      )
      assert.isAbove(yield* Ref.get(refused), 0)
      assert.isAbove((yield* pathsIn("deleted_file")).length, 0)
    }).pipe(onOwnDatabase)
  )

  it.live("do not deadlock while covers are uploaded, changed and deleted", () =>
    Effect.gen(function* () {
      const documents = yield* documentMethods
      const maintenance = yield* DocumentMaintenance
      const repository = yield* siteMethods
      const work = Effect.fnUntraced(function* (site: Site) {
        const covers = documentsOf(site, 8).map((document) => aDocument({ ...document, type: "coverImage" }))
        yield* documents.insertMany(site.organisationId, site.id, covers, expiry)
        const ways = covers.flatMap(({ id, organisationId }) => [
          documents.step(organisationId, id, { to: "uploaded", sizeBytes: 1 }, { at }),
          documents.step(organisationId, id, { to: "failed" }, { at }),
          documents.reopen(organisationId, id, { at, addressExpiresAt: expiry }),
          documents.delete(organisationId, id, { at }),
          maintenance.claimPending(site.organisationId, claim(5))
        ])
        const end = repository.delete(site.organisationId, site.id)
        const shuffled = yield* Random.shuffle([...ways, end])
        const results = yield* Effect.forEach(shuffled, (way) => Effect.result<unknown, { _tag: string }, never>(way), {
          concurrency: "unbounded"
        })
        for (const result of results) {
          if (Result.isFailure(result)) assert.notStrictEqual(result.failure._tag, "RepositoryError")
        }
        return covers.map(({ path }) => path)
      })
      const paths = yield* Effect.forEach(yield* storedSites(20), work, { concurrency: 2 })
      assert.deepStrictEqual(yield* pathsIn("document"), [])
      assert.deepStrictEqual(yield* pathsIn("deleted_file"), [...paths.flat()].sort())
    }).pipe(withoutDeadlocks, onOwnDatabase)
  )

  it.live("are claimed by one sweeper each, as are the 1,000 files of a deleted site", () =>
    Effect.gen(function* () {
      const documents = yield* documentMethods
      const maintenance = yield* DocumentMaintenance
      for (const site of yield* storedSites(1)) {
        const batch = documentsOf(site, 1_000)
        const paths = batch.map(({ path }) => path).sort()
        yield* documents.insertMany(site.organisationId, site.id, batch, expiry)

        // A row that another sweeper is claiming is skipped until the next round. The last round is empty.
        const all = <Item>(claimed: Effect.Effect<ReadonlyArray<Item>, unknown>) => {
          const sweeper: Effect.Effect<ReadonlyArray<Item>, unknown> = Effect.flatMap(claimed, (some) =>
            some.length === 0 ? Effect.succeed([]) : Effect.map(sweeper, (rest) => [...some, ...rest])
          )
          return Effect.map(Effect.all([sweeper, sweeper, sweeper], { concurrency: 3 }), (some) => some.flat())
        }
        const pending = yield* all(maintenance.claimPending(site.organisationId, claim(37)))
        assert.deepStrictEqual(pending.map(({ document }) => document.path).sort(), paths)

        yield* (yield* siteMethods).delete(site.organisationId, site.id)
        assert.deepStrictEqual(yield* pathsIn("deleted_file"), paths)
        assert.deepStrictEqual(
          [...(yield* all(maintenance.claimDeleted(site.organisationId, claim(37))))].sort(),
          paths
        )
      }
    }).pipe(onOwnDatabase)
  )
})
