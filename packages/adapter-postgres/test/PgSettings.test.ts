import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { settings as declared } from "@solar-sites/adapter-postgres/settings"
import { Config, ConfigProvider, Duration, Effect, Redacted } from "effect"

const url = "postgres://user:secret@localhost:5432/solar"

const read = (env: Record<string, string>) =>
  Effect.provideService(
    Effect.gen(function* () {
      return yield* Config.all(declared)
    }),
    ConfigProvider.ConfigProvider,
    ConfigProvider.fromEnv({ env })
  )

describe("the settings of the database", () => {
  it.effect("have the documented defaults", () =>
    Effect.gen(function* () {
      const settings = yield* read({ DATABASE_URL: url })
      assert.strictEqual(Redacted.value(settings.url), url)
      assert.deepInclude({ ...settings }, { schema: "solar", poolSize: 10, pooler: "session" })
      assert.strictEqual(Duration.toMillis(settings.queryTimeout ?? 0), 5_000)
    })
  )

  it.effect("are read from the environment", () =>
    Effect.gen(function* () {
      const settings = yield* read({
        DATABASE_URL: url,
        DATABASE_SCHEMA: `my "schema"; --`,
        DATABASE_POOL_SIZE: "3",
        DATABASE_POOLER: "transaction",
        DATABASE_ROW_LEVEL_SECURITY: "true",
        QUERY_TIMEOUT: "750ms"
      })
      assert.deepInclude(
        { ...settings },
        { schema: `my "schema"; --`, poolSize: 3, pooler: "transaction", rowLevelSecurity: true }
      )
      assert.strictEqual(Duration.toMillis(settings.queryTimeout ?? 0), 750)
    })
  )

  for (const [name, value] of [
    ["DATABASE_URL", "mysql://user:secret@localhost/solar"],
    ["DATABASE_URL", "postgres://user:secret@a,b/solar?target_session_attrs=any"],
    ["DATABASE_URL", "postgres://user:secret@a,/solar"],
    ["DATABASE_SCHEMA", "x".repeat(64)],
    ["DATABASE_SCHEMA", "pg_catalog"],
    ["DATABASE_POOL_SIZE", "0"],
    ["DATABASE_POOL_SIZE", "2.5"],
    ["DATABASE_POOLER", "statement"],
    ["QUERY_TIMEOUT", "5"],
    ["QUERY_TIMEOUT", "0s"]
  ] as const) {
    it.effect(`refuse ${name}=${value}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(read({ DATABASE_URL: url, [name]: value }))
        assert.include(String(error), name)
        assert.notInclude(inspect(error, { depth: null }), "secret")
      })
    )
  }
})
