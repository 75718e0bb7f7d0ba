import { assert, describe, it } from "@effect/vitest"
import { layerPorts, PgClient } from "@solar-sites/adapter-postgres"
import { DocumentRepository, OmRecordId, SiteRepository, UserId } from "@solar-sites/core"
import { aDocument, anOrganisation, aSite } from "@solar-sites/testing"
import { DateTime, Effect, Layer, Option } from "effect"
import { migrations } from "../src/migrations/migrations.ts"
import { migrateWith } from "../src/PgMigrations.ts"
import { onPostgres, options, ownSchema, withoutPostgres } from "./Databases.ts"

const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")
const long = "application/".padEnd(900_000, "x")

const run = (text: (schema: string) => string) =>
  Effect.flatMap(PgClient, ({ query, schema }) => query("test", (sql) => sql.unsafe(text(schema)).values()))

/** The ids of a pending document whose row was written by an older version. */
const oldDocument = Effect.fnUntraced(function* (mimeType: string) {
  const [organisation, site] = [anOrganisation(), aSite()]
  const { id } = aDocument()
  const ids = `'${organisation.id}'::uuid, '${site.id}'::uuid`
  yield* run((schema) => `insert into ${schema}.organisation values ('${organisation.id}', 'Old', 'active')`)
  yield* run(
    (schema) => `insert into ${schema}.site
      (organisation_id, id, site_name, capacity, unit, kilowatts_per_unit, created_at, updated_at, version)
      values (${ids}, 'Old', 1, 'MW', 1000, now(), now(), 1)`
  )
  yield* run(
    (schema) => `insert into ${schema}.document
      (organisation_id, site_id, id, type, filename, status, mime_type, failure_reason, created_at, updated_at, version,
       address_expires_at)
      values (${ids}, '${id}', 'documents', 'old.pdf', 'failed', '${mimeType}',
              '${mimeType} was declared, another media type arrived', now(), now(), 1, now())`
  )
  return { organisationId: organisation.id, id }
})

describe.skipIf(withoutPostgres)("the bounds of a document", () => {
  it.live("hold in a database that was filled before them", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      const before = migrations.filter(({ name }) => name < "0005")
      yield* Effect.gen(function* () {
        yield* migrateWith(before)
        const { id, organisationId } = yield* oldDocument(long)
        yield* migrateWith(migrations)
        const repository = yield* DocumentRepository
        const document = Option.getOrThrow(yield* repository.findById(organisationId, id))
        assert.strictEqual(document.mimeType, "application/octet-stream")
        assert.strictEqual(document.failureReason, long.slice(0, 500))
        const reopened = yield* repository.reopen(organisationId, id, { at, addressExpiresAt: at })
        assert.strictEqual(reopened.status, "pending")
      }).pipe(Effect.provide(Layer.provideMerge(layerPorts, PgClient.layer(options(schema)))))
    })
  )

  it.live("let the longest texts in, and nothing longer", () =>
    Effect.gen(function* () {
      const repository = yield* DocumentRepository
      const { id, organisationId } = yield* oldDocument("text/plain")
      const site = aSite({ organisationId })
      yield* (yield* SiteRepository).insert(organisationId, site)
      const stored = (overrides: Parameters<typeof aDocument>[0]) =>
        repository.insertMany(
          organisationId,
          site.id,
          [aDocument({ ...overrides, organisationId, siteId: site.id })],
          at
        )
      const longest = {
        filename: "ß".repeat(127),
        mimeType: "text/".padEnd(255, "x"),
        omRecordId: OmRecordId.make("☀".repeat(200)),
        uploadedBy: UserId.make("\u{1F31E}".repeat(200))
      }
      assert.strictEqual((yield* stored(longest)).length, 1)
      for (const longer of [{ filename: "ß".repeat(128) }, { mimeType: long }]) {
        const error = yield* Effect.flip(stored({ ...longest, ...longer }))
        assert.strictEqual(error._tag, "RepositoryError")
      }
      const step = { to: "failed", failureReason: "\u{1F31E}".repeat(500) } as const
      yield* repository.reopen(organisationId, id, { at, addressExpiresAt: at })
      yield* repository.step(organisationId, id, step, { at })
    }).pipe((effect) => Effect.flatMap(onPostgres(), (ports) => Effect.provide(effect, ports)))
  )
})
