/**
 * Records the last use of keys outside the request path: written at most once per 30 s and key, and
 * at shutdown.
 */
import { Clock, Context, DateTime, Duration, Effect, Layer, Schedule } from "effect"
import type { ApiKeyId } from "../caller/Caller.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { ApiKeyStore, type ApiKeyUse } from "./ApiKeyStore.ts"

const interval = Duration.seconds(30)

export class ApiKeyUsage extends Context.Service<
  ApiKeyUsage,
  {
    /** Records a use at the current time. No I/O; never fails. */
    readonly record: (organisationId: OrganisationId, apiKeyId: ApiKeyId) => Effect.Effect<void>
  }
>()("@solar-sites/core/ApiKeyUsage") {
  static readonly layer: Layer.Layer<ApiKeyUsage, never, ApiKeyStore> = Layer.effect(
    ApiKeyUsage,
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      let pending = new Map<OrganisationId, Map<ApiKeyId, number>>()

      const record = (organisationId: OrganisationId, apiKeyId: ApiKeyId, at: number) => {
        const keys = pending.get(organisationId) ?? new Map<ApiKeyId, number>()
        pending.set(organisationId, keys)
        keys.set(apiKeyId, Math.max(at, keys.get(apiKeyId) ?? 0))
      }

      const write = (organisationId: OrganisationId, keys: ReadonlyMap<ApiKeyId, number>) => {
        const uses: ReadonlyArray<ApiKeyUse> = [...keys].map(([apiKeyId, at]) => ({
          apiKeyId,
          usedAt: DateTime.makeUnsafe(at)
        }))
        return store.recordUses(organisationId, uses).pipe(
          // Retried in the next interval.
          Effect.catchTag("RepositoryError", () =>
            Effect.sync(() => {
              for (const [apiKeyId, at] of keys) record(organisationId, apiKeyId, at)
            })
          )
        )
      }

      const flush = Effect.suspend(() => {
        const batch = pending
        pending = new Map()
        return Effect.forEach(batch, ([organisationId, keys]) => write(organisationId, keys), { discard: true })
      })

      yield* Effect.addFinalizer(() => flush)
      yield* flush.pipe(Effect.delay(interval), Effect.repeat(Schedule.forever), Effect.forkScoped)

      return ApiKeyUsage.of({
        record: (organisationId, apiKeyId) =>
          Effect.map(Clock.currentTimeMillis, (now) => record(organisationId, apiKeyId, now))
      })
    })
  )
}
