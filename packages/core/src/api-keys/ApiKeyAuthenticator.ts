/**
 * Turns a presented key into a caller. Good keys are remembered for at most ten
 * seconds, counted from before they were looked up and never prolonged by use;
 * a change of access ends that at once for all keys of its organisation.
 *
 * @since 0.1.0
 */
import { Cache, Clock, Context, Duration, Effect, Exit, Layer, Metric, Option, type Redacted } from "effect"
import { Caller } from "../caller/Caller.ts"
import { AccessChanges } from "../organisations/AccessChanges.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { OrganisationInactive, OrganisationMissing } from "../organisations/OrganisationErrors.ts"
import { makeUnchecked } from "../persistence/MakeUnchecked.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import type { ApiKeyAccess } from "./ApiKey.ts"
import { ApiKeyExpired, ApiKeyInvalid } from "./ApiKeyErrors.ts"
import * as ApiKeySecret from "./ApiKeySecret.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import { ApiKeyUsage } from "./ApiKeyUsage.ts"

const life = Duration.seconds(10)
const capacity = 10_000

// Whoever tries keys must not be given a new stack for each.
const invalid = Effect.fail(new ApiKeyInvalid())

const cacheCounter = (outcome: "hit" | "miss") =>
  Metric.counter("solar_sites_api_key_cache", {
    description: "Well-formed keys that were presented: remembered (hit), or looked up (miss)",
    attributes: { outcome },
    incremental: true
  })
const hits = cacheCounter("hit")
const misses = cacheCounter("miss")

/**
 * Why a key does not open anything.
 *
 * @category errors
 * @since 0.1.0
 */
export type AccessRefusal = ApiKeyInvalid | ApiKeyExpired | OrganisationMissing | OrganisationInactive

/**
 * @category services
 * @since 0.1.0
 */
export class ApiKeyAuthenticator extends Context.Service<
  ApiKeyAuthenticator,
  {
    /** The caller behind a key. Judges the key first, then its organisation. */
    readonly authenticate: (
      presented: Redacted.Redacted<string>
    ) => Effect.Effect<Caller, AccessRefusal | RepositoryError>
  }
>()("@solar-sites/core/ApiKeyAuthenticator") {
  static readonly layer: Layer.Layer<ApiKeyAuthenticator, never, ApiKeyStore | ApiKeyUsage | AccessChanges> =
    Layer.effect(
      ApiKeyAuthenticator,
      Effect.gen(function* () {
        const store = yield* ApiKeyStore
        const usage = yield* ApiKeyUsage
        const accessChanges = yield* AccessChanges

        // Changes of access are counted. What was looked up before the last one that concerns it is not used after it,
        // whether it was remembered already or still under way.
        let changes = 0
        let everythingChanged = 0
        const changed = new Map<OrganisationId, number>()

        const underWay = new Set<{ readonly digest: ApiKeySecret.ApiKeyDigest }>()

        const lookUp = (digest: ApiKeySecret.ApiKeyDigest) => {
          const look = { digest }
          return Effect.gen(function* () {
            underWay.add(look)
            const seen = changes
            const startedAt = yield* Clock.currentTimeMillis
            const found = yield* store.findByDigest(digest)
            const elapsed = Duration.millis((yield* Clock.currentTimeMillis) - startedAt)
            return { found, changes: seen, remainingLife: Duration.subtract(life, elapsed), isUsed: false }
          }).pipe(Effect.ensuring(Effect.sync(() => underWay.delete(look))))
        }

        // Unknown keys and failures are not remembered: a key works as soon as it exists.
        const cache = yield* Cache.makeWith(lookUp, {
          capacity,
          timeToLive: (exit) =>
            Exit.isSuccess(exit) && Option.isSome(exit.value.found) ? exit.value.remainingLife : Duration.zero
        })

        yield* accessChanges.listen((change) =>
          Effect.suspend(() => {
            changes += 1
            if (change !== "everything" && changed.size < capacity) {
              changed.set(change.organisationId, changes)
              // It is not known yet which organisation they concern, and no call made from now on waits for them.
              return Effect.forEach([...underWay], ({ digest }) => Cache.invalidate(cache, digest), { discard: true })
            }
            everythingChanged = changes
            changed.clear()
            return Cache.invalidateAll(cache)
          })
        )

        /** True when access to the key may have changed since it was looked up. */
        const isOutdated = (seen: number, { apiKey }: ApiKeyAccess): boolean =>
          seen < everythingChanged || seen < (changed.get(apiKey.organisationId) ?? 0)

        const find = Effect.fnUntraced(function* (digest: ApiKeySecret.ApiKeyDigest) {
          while (true) {
            const entry = yield* Cache.get(cache, digest)
            if (Option.exists(entry.found, (access) => isOutdated(entry.changes, access))) {
              yield* Cache.invalidate(cache, digest)
              continue
            }
            yield* Metric.update(entry.isUsed ? hits : misses, 1)
            entry.isUsed = true
            return entry.found
          }
        })

        const judge = Effect.fnUntraced(function* ({ apiKey, organisation }: ApiKeyAccess) {
          if (apiKey.expiresAt.epochMilliseconds <= (yield* Clock.currentTimeMillis)) return yield* new ApiKeyExpired()
          if (organisation === null) return yield* new OrganisationMissing()
          if (organisation.status !== "active") {
            return yield* new OrganisationInactive({ organisationId: organisation.id })
          }
          yield* usage.record(organisation.id, apiKey.id)
          const known = { organisationId: organisation.id, userId: apiKey.createdBy, apiKeyId: apiKey.id }
          return makeUnchecked(Caller, known)
        })

        const authenticate = fnWithSpan("ApiKeyAuthenticator.authenticate")(function* (
          presented: Redacted.Redacted<string>
        ) {
          const secret = ApiKeySecret.parse(presented)
          if (Option.isNone(secret)) return yield* invalid
          const found = yield* find(ApiKeySecret.digest(secret.value))
          if (Option.isNone(found)) return yield* invalid
          return yield* judge(found.value)
        })

        return ApiKeyAuthenticator.of({ authenticate })
      })
    )
}
