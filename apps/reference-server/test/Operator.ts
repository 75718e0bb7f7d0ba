/**
 * Makes what a test needs in the database of its servers, without a process for
 * each.
 */
import { AccessChanges, ApiKeys, Caller, CurrentCaller, type OrganisationId, Organisations } from "@solar-sites/core"
import { ConfigProvider, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import * as Administration from "../src/Administration.ts"
import { fromEnvironment, settings } from "../src/configuration/Settings.ts"
import * as Database from "../src/database/Database.ts"
import type { Variables } from "./SolarSitesProcess.ts"

export interface Key {
  readonly id: string
  readonly key: string
}

const database = (variables: Variables) =>
  Layer.unwrap(
    fromEnvironment(settings).pipe(
      Effect.map((chosen) => Database.layer(chosen, "require")),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(variables))
    )
  )

export const operator = (variables: Variables) => {
  const adapters = Layer.merge(database(variables), AccessChanges.layerInProcess)
  const runtime = ManagedRuntime.make(Layer.provide(Administration.layer, adapters))
  return {
    createOrganisation: (): Promise<OrganisationId> =>
      runtime.runPromise(
        Effect.map(
          Organisations.use((organisations) => organisations.create({ name: "Test" })),
          ({ id }) => id
        )
      ),
    createKey: (organisationId: OrganisationId): Promise<Key> =>
      runtime.runPromise(
        ApiKeys.use((apiKeys) => apiKeys.create({ name: "Test" })).pipe(
          Effect.provideService(CurrentCaller, new Caller({ organisationId, userId: null, apiKeyId: null })),
          Effect.map(({ apiKey, secret }) => ({ id: apiKey.id, key: Redacted.value(secret) }))
        )
      ),
    close: () => runtime.dispose()
  }
}
