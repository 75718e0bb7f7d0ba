/**
 * Origin of an event: who made a change, when, and in which request. Services read
 * it from the caller and pass it to port methods.
 */
import { Clock, Context, DateTime, Effect } from "effect"
import { CurrentCaller } from "../caller/Caller.ts"
import { RequestId } from "../caller/RequestId.ts"
import { IdGenerator } from "../ids/IdGenerator.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { type Event, EventId } from "./Event.ts"

export type EventOrigin = Pick<Event, "id" | "occurredAt" | "actor" | "requestId">

const noActor: Event["actor"] = { userId: null, apiKeyId: null, keyPrefix: null }

/**
 * Makes the origin of a change in an organisation. The actor is the current caller; a caller of
 * another organisation is none. Ids come from the `IdGenerator` of the layer, never from a seed: a
 * repeated request may write further events.
 */
export const eventOrigins: Effect.Effect<(organisationId: OrganisationId) => Effect.Effect<EventOrigin>> = Effect.map(
  IdGenerator,
  (nextId) => (organisationId) =>
    Effect.withFiber((fiber) => {
      const caller = Context.getOrUndefined(fiber.context, CurrentCaller)
      const isOwn = caller !== undefined && caller.organisationId === organisationId
      const occurredAt = DateTime.makeUnsafe(fiber.getRef(Clock.Clock).currentTimeMillisUnsafe())
      return Effect.map(nextId, (id) => ({
        // Every id of the generator is a UUID.
        id: id as EventId,
        occurredAt,
        actor: isOwn
          ? { userId: caller.userId, apiKeyId: caller.apiKeyId, keyPrefix: caller.keyPrefix ?? null }
          : noActor,
        requestId: isOwn ? fiber.getRef(RequestId) : null
      }))
    })
)

/** The origin of a change without events. */
export const originWithoutEvents = (at: DateTime.Utc): EventOrigin => ({
  id: EventId.make("00000000-0000-7000-8000-000000000000"),
  occurredAt: at,
  actor: noActor,
  requestId: null
})

/** Id of the n-th event of one step, for adapters without SQL: the last 32 bits are n. */
export const eventIdAt = ({ id }: EventOrigin, n: number): EventId =>
  EventId.make(id.slice(0, -8) + n.toString(16).padStart(8, "0"))
