import { describe, expect, it } from "@effect/vitest"
import { EventRepository, EventRetention, type OrganisationId, OrganisationRepository } from "@solar-sites/core"
import { anOrganisation } from "@solar-sites/testing"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { services } from "../services.ts"

/** An organisation with this number of events. */
const withEvents = Effect.fnUntraced(function* (count: number) {
  const organisations = yield* OrganisationRepository
  const organisation = anOrganisation()
  yield* organisations.insert(organisation)
  for (let index = 0; index < count; index++) yield* organisations.update(organisation.id, { name: `Name ${index}` })
  return organisation.id
})

const left = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const page = { after: null, limit: 10_000, order: "asc" } as const
  return (yield* (yield* EventRepository).list(organisationId, {}, page)).items.length
})

describe("the purge of events", () => {
  it.effect("removes old events of all organisations in the background, and keeps younger ones", () =>
    Effect.gen(function* () {
      const old = [yield* withEvents(2_500), yield* withEvents(1)]
      yield* TestClock.adjust("30 days")
      const young = yield* withEvents(3)
      yield* TestClock.adjust("369 days")
      expect(yield* Effect.forEach(old, left)).toEqual([2_500, 1])
      yield* TestClock.adjust(Duration.sum(Duration.days(1), Duration.minutes(11)))
      expect(yield* Effect.forEach([...old, young], left)).toEqual([0, 0, 3])
    }).pipe(Effect.provide(services))
  )

  it.effect("takes the retention time of the application", () =>
    Effect.gen(function* () {
      const organisationId = yield* withEvents(2)
      yield* TestClock.adjust("47 hours")
      expect(yield* left(organisationId)).toBe(2)
      yield* TestClock.adjust("71 minutes")
      expect(yield* left(organisationId)).toBe(0)
    }).pipe(Effect.provide(services.pipe(Layer.provide(Layer.succeed(EventRetention, Duration.days(2))))))
  )
})
