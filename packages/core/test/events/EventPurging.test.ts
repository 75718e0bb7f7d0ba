import { describe, expect, it } from "@effect/vitest"
import {
  EventRepository,
  EventRetention,
  eventOrigins,
  type OrganisationId,
  OrganisationRepository
} from "@solar-sites/core"
import { anOrganisation } from "@solar-sites/testing"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { services } from "../services.ts"

/** An organisation with this number of events. */
const withEvents = Effect.fnUntraced(function* (count: number) {
  const organisations = yield* OrganisationRepository
  const organisation = anOrganisation()
  const originOf = yield* eventOrigins
  yield* organisations.insert(organisation)
  for (let index = 0; index < count; index++) {
    yield* organisations.update(organisation.id, { name: `Name ${index}` }, yield* originOf(organisation.id))
  }
  return organisation.id
})

const left = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const page = { after: null, limit: 10_000, order: "asc" } as const
  return (yield* (yield* EventRepository).list(organisationId, {}, page)).items.length
})

const keptFor = (time: Duration.Input) =>
  services.pipe(Layer.provide(Layer.succeed(EventRetention, Duration.fromInputUnsafe(time))))

describe("the purge of events", () => {
  it.effect("removes old events of all organisations in the background, and keeps younger ones", () =>
    Effect.gen(function* () {
      const old = [yield* withEvents(2_500), yield* withEvents(1)]
      yield* TestClock.adjust("30 minutes")
      const young = yield* withEvents(3)
      yield* TestClock.adjust("85 minutes")
      expect(yield* Effect.forEach(old, left)).toEqual([2_500, 1])
      yield* TestClock.adjust("20 minutes")
      expect(yield* Effect.forEach([...old, young], left)).toEqual([0, 0, 3])
    }).pipe(Effect.provide(keptFor("2 hours")))
  )

  it.effect("keeps events for 400 days by default", () =>
    Effect.gen(function* () {
      expect(Duration.toDays(yield* EventRetention)).toBe(400)
    })
  )
})
