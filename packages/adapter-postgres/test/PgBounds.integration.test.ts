import { assert, describe, it } from "@effect/vitest"
import { layerPorts, PgClient } from "@solar-sites/adapter-postgres"
import { OmRecordId, UserId } from "@solar-sites/core"
import { aDocument, aSite, documentMethods, siteMethods } from "@solar-sites/testing"
import { DateTime, Effect, Layer, Option } from "effect"
import { migrations } from "../src/migrations/migrations.ts"
import { migrateWith } from "../src/migrations/PgMigrations.ts"
import { onPostgres, options, ownSchema, withoutPostgres } from "./Databases.ts"
import { oldDocument } from "./OldRows.ts"

const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")
const long = "application/".padEnd(900_000, "x")
const tooLong = `${long} was declared, another media type arrived`

describe.skipIf(withoutPostgres)("the bounds of a document", () => {
  it.live("apply to rows of earlier versions", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      const before = migrations.filter(({ name }) => name < "0005")
      yield* Effect.gen(function* () {
        yield* migrateWith(before)
        const { id, organisationId } = yield* oldDocument({ mimeType: long, failureReason: tooLong })
        yield* migrateWith(migrations)
        const repository = yield* documentMethods
        const document = Option.getOrThrow(yield* repository.findById(organisationId, id))
        assert.strictEqual(document.mimeType, "application/octet-stream")
        assert.strictEqual(document.failureReason, long.slice(0, 500))
        const reopened = yield* repository.reopen(organisationId, id, { at, addressExpiresAt: at })
        assert.strictEqual(reopened.status, "pending")
      }).pipe(Effect.provide(Layer.provideMerge(layerPorts, PgClient.layer(options(schema)))))
    })
  )

  it.live("accept texts of the maximum length, and none longer", () =>
    Effect.gen(function* () {
      const repository = yield* documentMethods
      const { id, organisationId } = yield* oldDocument({})
      const site = aSite({ organisationId })
      yield* (yield* siteMethods).insert(organisationId, site)
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

  it.live("are those of its organisation: others have listed paths and pending documents of their own", () =>
    Effect.gen(function* () {
      const { run, schema } = yield* PgClient
      const [own, other, site, id] = [1, 2, 3, 4].map(() => crypto.randomUUID())
      const sql = (text: string) => run({ operation: "test", text: text.replaceAll("SCHEMA", schema) })
      yield* sql("create table SCHEMA.files (organisation_id uuid, site_id uuid, document_id uuid)")
      yield* sql("create table SCHEMA.documents (organisation_id uuid, site_id uuid, id uuid, look_at timestamptz)")
      yield* sql(`insert into SCHEMA.files values ('${other}', '${site}', '${id}')`)
      yield* sql(`insert into SCHEMA.documents values ('${other}', '${site}', '${id}', null)`)
      yield* sql(`insert into SCHEMA.documents select '${other}', '${site}', gen_random_uuid(), now()
        from generate_series(1, 10001)`)
      const check = (organisation = "") =>
        sql(
          `select SCHEMA.check_documents('SCHEMA.documents', 'SCHEMA.files', '${organisation}', array['${id}'::uuid])`
        )
      const constraint = Effect.map(Effect.flip(check(other)), ({ cause }) => Reflect.get(Object(cause), "constraint"))
      assert.lengthOf(yield* check(own), 1)
      assert.strictEqual(yield* constraint, "document_file_deleted")
      yield* sql("delete from SCHEMA.files")
      assert.strictEqual(yield* constraint, "document_pending_maximum")
    }).pipe((effect) => Effect.flatMap(onPostgres(), (ports) => Effect.provide(effect, ports)))
  )
})
