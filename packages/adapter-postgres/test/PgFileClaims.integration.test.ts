import { assert, describe, it } from "@effect/vitest"
import { layerPorts, PgClient } from "@solar-sites/adapter-postgres"
import { documentMethods } from "@solar-sites/testing"
import { DateTime, Effect, Layer } from "effect"
import { migrations } from "../src/migrations/migrations.ts"
import { migrateWith } from "../src/migrations/PgMigrations.ts"
import { options, ownSchema, withoutPostgres } from "./Databases.ts"
import { oldDocument } from "./OldRows.ts"

const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")
const claimedUntil = DateTime.add(at, { seconds: 30 })

describe.skipIf(withoutPostgres)("a document that failed before files were claimed", () => {
  it.live("gets a new upload address at once without a file, and under a claim with a rejected file", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      yield* Effect.gen(function* () {
        yield* migrateWith(migrations.filter(({ name }) => name < "0004"))
        const lapsed = yield* oldDocument({ failureReason: "nothing arrived before the upload address lapsed" })
        const refused = [yield* oldDocument({ failureReason: "blurred" }), yield* oldDocument({ failureReason: null })]
        const uploaded = yield* oldDocument({ status: "uploaded" })
        yield* migrateWith(migrations)

        const { claimFile, reopen, step } = yield* documentMethods
        const address = { at, addressExpiresAt: at }
        assert.strictEqual((yield* reopen(lapsed.organisationId, lapsed.id, address)).status, "pending")
        for (const { id, organisationId, path } of refused) {
          assert.strictEqual((yield* Effect.flip(reopen(organisationId, id, address)))._tag, "FileNotDeleted")
          yield* claimFile(organisationId, path, { now: at, until: claimedUntil })
          assert.strictEqual((yield* reopen(organisationId, id, { ...address, claimedUntil })).status, "pending")
        }
        const approved = yield* step(uploaded.organisationId, uploaded.id, { to: "approved" }, { at })
        assert.strictEqual(approved.status, "approved")
      }).pipe(Effect.provide(Layer.provideMerge(layerPorts, PgClient.layer(options(schema)))))
    })
  )
})
