import { assert, describe, it } from "@effect/vitest"
import { layerPorts, PgClient } from "@solar-sites/adapter-postgres"
import { ApiKeyStore, apiScopes } from "@solar-sites/core"
import { anApiKey, anApiKeyDigest, anOrganisation } from "@solar-sites/testing"
import { Effect, Layer, Option } from "effect"
import { migrations } from "../src/migrations/migrations.ts"
import { migrateWith } from "../src/migrations/PgMigrations.ts"
import { options, ownSchema, withoutPostgres } from "./Databases.ts"

describe.skipIf(withoutPostgres)("the scopes of an API key", () => {
  it.live("are all for keys of earlier versions", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      yield* Effect.gen(function* () {
        yield* migrateWith(migrations.filter(({ name }) => name < "0011"))
        const organisation = anOrganisation()
        const apiKey = anApiKey({ organisationId: organisation.id })
        const digest = anApiKeyDigest()
        const { run, schema } = yield* PgClient
        const insert = (text: string) => run({ operation: "test", text })
        yield* insert(
          `insert into ${schema}.organisation (id, name, status) values ('${organisation.id}', 'Old', 'active')`
        )
        yield* insert(`insert into ${schema}.api_key (organisation_id, id, digest, name, prefix, created_at, expires_at)
          values ('${organisation.id}', '${apiKey.id}', decode('${digest}', 'hex'), 'Old', 'old', now(), now())`)
        yield* migrateWith(migrations)
        const { apiKey: found } = Option.getOrThrow(yield* (yield* ApiKeyStore).findAcrossOrganisations({ digest }))
        assert.deepStrictEqual(found.scopes, apiScopes)
      }).pipe(Effect.provide(Layer.provideMerge(layerPorts, PgClient.layer(options(schema)))))
    })
  )
})
