import { assert, describe, it } from "@effect/vitest"
import { layerPorts, PgClient } from "@solar-sites/adapter-postgres"
import { DocumentRepository, OmRecordId, SiteRepository, UserId } from "@solar-sites/core"
import { aDocument, aSite } from "@solar-sites/testing"
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
        const repository = yield* DocumentRepository
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
      const repository = yield* DocumentRepository
      const { id, organisationId } = yield* oldDocument({})
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
