/**
 * Setup of the cases about events: callers, and the events of a step.
 */
import {
  ApiKeyId,
  Caller,
  CurrentCaller,
  type Event,
  EventRepository,
  type EventSubjectType,
  type OrganisationId,
  type Reach,
  RequestId,
  reachParts,
  subjectTypeOf,
  UserId
} from "@solar-sites/core"
import { Effect } from "effect"
import { anApiKey } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { DocumentPorts } from "./DocumentSetup.ts"

/** Ports of the cases about events. */
export type EventPorts = EventRepository | DocumentPorts

const everything = { after: null, limit: 1_000, order: "asc" } as const

/** All events of the organisation, oldest first. */
export const storedEvents = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  return (yield* (yield* EventRepository).list(organisationId, {}, everything)).items
})

/** An event without the members that the adapter chooses. */
export type ExpectedEvent = Pick<Event, "type" | "siteId" | "changes"> & {
  readonly subject: Pick<Event["subject"], "id" | "name">
} & Partial<Pick<Event, "actor" | "requestId">>

const noActor = { userId: null, apiKeyId: null, keyPrefix: null }

/**
 * Runs a step and expects that it writes these events, in order, and no others. Events about other
 * kinds of subjects are not compared when `about` names one.
 */
export const expectEvents = Effect.fnUntraced(function* <A, E, R>(
  organisationId: OrganisationId,
  step: Effect.Effect<A, E, R>,
  expected: ReadonlyArray<ExpectedEvent>,
  about?: EventSubjectType
) {
  const before = yield* storedEvents(organisationId)
  const result = yield* step
  const after = yield* storedEvents(organisationId)
  assert.deepEqual(after.slice(0, before.length), before, "earlier events stay as they are")
  const written = after.slice(before.length)
  const compared = about === undefined ? written : written.filter(({ type }) => subjectTypeOf(type) === about)
  assert.deepEqual(
    compared.map(({ actor, changes, requestId, siteId, subject, type }) => {
      return { type, siteId, changes, subject, actor, requestId }
    }),
    expected.map(({ actor = noActor, changes, requestId = null, siteId, subject, type }) => {
      return { type, siteId, changes, subject: { type: subjectTypeOf(type), ...subject }, actor, requestId }
    }),
    "the events of the step"
  )
  let last = before.at(-1)
  for (const event of written) {
    if (last !== undefined) {
      assert.ok(event.sequence > last.sequence, "sequences ascend")
      assert.ok(event.occurredAt.epochMilliseconds >= last.occurredAt.epochMilliseconds, "instants do not descend")
    }
    last = event
  }
  const ids = after.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length, "no two events have the same id")
  return result
})

/** Runs a step that may fail, and expects that it writes no event. */
export const expectNoEvent = <A, E, R>(organisationId: OrganisationId, step: Effect.Effect<A, E, R>) =>
  expectEvents(organisationId, Effect.exit(step), [])

/** Runs an effect for a caller of the organisation with an API key, in a request. */
export const asCallerOf =
  (reach: Reach) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) => {
    const { id, prefix } = anApiKey()
    const apiKeyId = ApiKeyId.make(id)
    const userId = UserId.make("person-1")
    const requestId = "request-of-a-test"
    const limit = typeof reach === "string" ? {} : { portfolioIds: reach.portfolioIds }
    const { organisationId } = reachParts(reach)
    const caller = new Caller({ organisationId, userId, apiKeyId, keyPrefix: prefix, ...limit })
    const ran = effect.pipe(Effect.provideService(CurrentCaller, caller), Effect.provideService(RequestId, requestId))
    return { ran, origin: { actor: { userId, apiKeyId, keyPrefix: prefix }, requestId } }
  }
