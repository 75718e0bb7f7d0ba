import { hash } from "node:crypto"
import { ConfigProvider, Effect, Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { pendingLogins } from "../../../src/accounts/identity/ProviderLogins.ts"
import { fromEnvironment, settings } from "../../../src/configuration/Settings.ts"
import * as Database from "../../../src/database/Database.ts"
import { ownSchemas, withoutPostgres } from "../../ExternalDatabase.ts"

const digest = (text: string) => hash("sha256", text)

describe.skipIf(withoutPostgres)("pending logins", () => {
  const schemas = ownSchemas()
  const database = Layer.unwrap(
    Effect.map(fromEnvironment(settings), (chosen) => Database.layer(chosen, "apply")).pipe(
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(schemas.next()))
    )
  )
  const runtime = ManagedRuntime.make(database)
  const take = (text: string, now: number) =>
    runtime.runPromise(Effect.flatMap(pendingLogins, ({ take }) => take({ digest: digest(text), now })))
  const login = { returnTo: "/sites", replaces: null }
  const insert = (text: string, expiresAt: number) =>
    runtime.runPromise(
      Effect.flatMap(pendingLogins, ({ insert }) => insert({ ...login, digest: digest(text), expiresAt }))
    )

  beforeAll(() => runtime.runPromise(Effect.void))

  afterAll(async () => {
    await runtime.dispose()
    await schemas.drop()
  })

  it("are taken once, before they expire", async () => {
    await insert("a", 2_000)
    expect(await take("a", 1_999)).toMatchObject(login)
    expect(await take("a", 1_999)).toBeNull()
    await insert("b", 2_000)
    expect(await take("b", 2_000)).toBeNull()
    expect(await take("b", 1_000)).toBeNull()
  })

  it("are deleted after their expiry", async () => {
    await insert("c", 2_000)
    await insert("d", 2_001)
    await runtime.runPromise(Effect.flatMap(pendingLogins, ({ deleteExpired }) => deleteExpired({ now: 2_000 })))
    expect(await take("c", 1_000)).toBeNull()
    expect(await take("d", 1_000)).toMatchObject(login)
  })
})
