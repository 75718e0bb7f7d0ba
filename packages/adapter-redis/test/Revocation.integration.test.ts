import { describe, expect, it } from "@effect/vitest"
import { layer } from "@solar-sites/adapter-redis"
import {
  AccessChanges,
  ApiKeyAuthenticator,
  ApiKeySecret,
  ApiKeyStore,
  ApiKeyUsage,
  apiKeyRecords,
  eventOrigins,
  OrganisationRepository
} from "@solar-sites/core"
import { anApiKey, anOrganisation, MemoryAdapters } from "@solar-sites/testing"
import { Context, DateTime, Effect, Fiber, Layer, Result } from "effect"
import { activeTime } from "../../../scripts/activeTime.ts"
import { aPrefix, optionsFor, sharedUrl, until, withoutRedis } from "./Setup.ts"

const races = 1_000
const noUsage = Layer.succeed(ApiKeyUsage, ApiKeyUsage.of({ record: () => Effect.void }))

/** Yields `turns` times, so that the races differ. */
const pause = (times: number) => Effect.repeat(Effect.yieldNow, { times })

/** Two instances over one store that share changes by Redis only. */
const twoInstances = Effect.gen(function* () {
  const memory = yield* Layer.build(MemoryAdapters.layer)
  const store = Context.get(memory, ApiKeyStore)
  let lookUps = 0
  // A look-up is delayed after its read, so that its result may be outdated.
  const slowStore = Layer.succeed(ApiKeyStore, {
    ...store,
    findAcrossOrganisations: (key) => Effect.tap(store.findAcrossOrganisations(key), () => pause(lookUps++ % 12))
  })
  const prefix = aPrefix()
  const instance = ApiKeyAuthenticator.layer.pipe(
    Layer.provide([slowStore, noUsage]),
    Layer.provideMerge(Layer.fresh(layer(optionsFor(sharedUrl, prefix))))
  )
  const [one, other] = [yield* Layer.build(instance), yield* Layer.build(instance)]
  const commands = yield* Effect.provide(apiKeyRecords, memory)
  return { memory, store: commands, one, other }
})

describe.skipIf(withoutRedis)("the loss of a key", () => {
  it.live(
    `bites at once here and within a second elsewhere, in each of ${races} races`,
    () =>
      Effect.gen(function* () {
        const { memory, one, other, store } = yield* twoInstances
        const organisation = anOrganisation()
        yield* Context.get(memory, OrganisationRepository).insert(organisation)
        const here = Context.get(one, ApiKeyAuthenticator)
        const elsewhere = Context.get(other, ApiKeyAuthenticator)
        expect(here).not.toBe(elsewhere)
        const changes = Context.get(one, AccessChanges)
        const expiresAt = DateTime.add(yield* DateTime.now, { days: 1 })

        let slowest = 0
        let accepted = 0
        const lost: Array<Effect.Effect<void>> = []

        for (let race = 0; race < races; race++) {
          const secret = yield* ApiKeySecret.generate
          const apiKey = anApiKey({ organisationId: organisation.id, expiresAt })
          yield* store.insert(organisation.id, apiKey, ApiKeySecret.digest(secret))
          const opens = (authenticator: ApiKeyAuthenticator["Service"]) =>
            Effect.map(Effect.result(authenticator.authenticate(secret)), Result.isSuccess)
          // Half of the keys are cached when the race begins; the others are being looked up.
          if (race % 2 === 0) expect([yield* opens(here), yield* opens(elsewhere)]).toEqual([true, true])

          const uses = yield* Effect.forkChild(
            Effect.forEach(
              [here, elsewhere, here, elsewhere],
              (authenticator, index) => Effect.andThen(pause((race * (index + 3)) % 17), opens(authenticator)),
              { concurrency: "unbounded" }
            )
          )
          yield* pause(race % 13)
          yield* store.delete(organisation.id, apiKey.id)
          yield* changes.publish({ organisationId: organisation.id, apiKeyId: apiKey.id })
          using since = activeTime()
          expect(yield* opens(here)).toBe(false)
          while (yield* opens(elsewhere)) {
            expect(since.millis()).toBeLessThan(1_000)
            yield* Effect.sleep("1 millis")
          }
          slowest = Math.max(slowest, since.millis())
          accepted += (yield* Fiber.join(uses)).filter((open) => open).length

          const refusedForGood = Effect.gen(function* () {
            expect([yield* opens(here), yield* opens(elsewhere)]).toEqual([false, false])
          })
          yield* refusedForGood
          lost.push(refusedForGood)
        }
        // Pending look-ups have ended: no cache holds a deleted key.
        yield* Effect.all(lost)
        expect(slowest).toBeLessThan(1_000)
        // Some uses came before the deletion, some after it.
        expect(accepted).toBeGreaterThan(races / 10)
        expect(accepted).toBeLessThan(4 * races - races / 10)
      }),
    120_000
  )

  it.live("of all keys of an organisation takes effect when it is deactivated, until it is active again", () =>
    Effect.gen(function* () {
      const { memory, one, other, store } = yield* twoInstances
      const organisation = anOrganisation()
      const organisations = Context.get(memory, OrganisationRepository)
      yield* organisations.insert(organisation)
      const secret = yield* ApiKeySecret.generate
      const expiresAt = DateTime.add(yield* DateTime.now, { days: 1 })
      const apiKey = anApiKey({ organisationId: organisation.id, expiresAt })
      yield* store.insert(organisation.id, apiKey, ApiKeySecret.digest(secret))
      const opens = (context: typeof one) =>
        Effect.map(Effect.result(Context.get(context, ApiKeyAuthenticator).authenticate(secret)), Result.isSuccess)
      const originOf = yield* eventOrigins
      for (const status of ["active", "inactive", "active"] as const) {
        yield* organisations.update(organisation.id, { status }, yield* originOf(organisation.id))
        yield* Context.get(one, AccessChanges).publish({ organisationId: organisation.id })
        expect(yield* opens(one)).toBe(status === "active")
        yield* until(
          `${status} on the other one`,
          Effect.map(opens(other), (open) => open === (status === "active")),
          1_000
        )
      }
    })
  )
})
