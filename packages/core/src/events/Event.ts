/**
 * Events: the changes of an organisation's resources, in the order of their commits (specification,
 * section 12).
 */
import { Equal, Schema } from "effect"
import { ApiKeyId, UserId } from "../caller/Caller.ts"
import { text } from "../input/Text.ts"
import { Timestamp } from "../input/Timestamp.ts"
import { Uuid } from "../input/Uuid.ts"
import { maximumPageSize, paging } from "../lists/Page.ts"
import { EventPattern, EventSubjectType, EventType } from "./EventType.ts"

export const EventId = Uuid.pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

/** Who made a change. All members are null for changes of the service itself and of operators. */
export const EventActor = Schema.Struct({
  userId: Schema.NullOr(UserId),
  apiKeyId: Schema.NullOr(ApiKeyId),
  keyPrefix: Schema.NullOr(Schema.String)
})
export type EventActor = typeof EventActor.Type

/**
 * Old and new values by member, each as in the JSON of the resource. `from` is null on creation,
 * `to` on deletion.
 */
export const EventChanges = Schema.Record(Schema.String, Schema.Struct({ from: Schema.Json, to: Schema.Json }))
export type EventChanges = typeof EventChanges.Type

/**
 * `sequence` ascends per organisation, with gaps; `occurredAt` never descends with it. `subject` is
 * the changed resource with its name after the change. `siteId` is set for sites and their
 * documents. `requestId` is the `X-Request-Id` of the request that made the change.
 */
export class Event extends Schema.Class<Event>("@solar-sites/core/Event")({
  id: EventId,
  sequence: Schema.Int,
  type: EventType,
  occurredAt: Schema.DateTimeUtcFromString,
  actor: EventActor,
  subject: Schema.Struct({ type: EventSubjectType, id: Uuid, name: Schema.NullOr(Schema.String) }),
  siteId: Schema.NullOr(Uuid),
  changes: EventChanges,
  requestId: Schema.NullOr(Schema.String)
}) {}

const patterns = Schema.Array(EventPattern).check(
  Schema.isMaxLength(50, { message: "must name at most 50 types", faultCode: "too_long" })
)

/**
 * Query of the feed; all conditions must hold. `siteId` includes the documents of the site,
 * `actorId` is a user or a key, the id of a key in any letter case. `from` is inclusive, `to`
 * exclusive. An empty `type` is none.
 */
export const ListEvents = Schema.Struct({
  type: Schema.optionalKey(patterns),
  subjectId: Schema.optionalKey(Uuid),
  siteId: Schema.optionalKey(Uuid),
  actorId: Schema.optionalKey(text({ min: 1, max: 200 })),
  from: Schema.optionalKey(Timestamp),
  to: Schema.optionalKey(Timestamp),
  order: Schema.optionalKey(Schema.Literals(["asc", "desc"])),
  ...paging("events", maximumPageSize)
})
export type ListEvents = typeof ListEvents.Type

/** Conditions of the feed without paging. */
export type EventConditions = Omit<ListEvents, "limit" | "cursor" | "order">

const empty = new Set(["null", "[]", "{}"])

const isJson = (value: unknown): value is string | number | boolean | null =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/**
 * The members that differ between two states of a resource, for `changes`. Values are plain JSON.
 * Pass null for the state before creation or after deletion: then a member without a value (null, or
 * an empty list or object) is no change.
 */
export const changesBetween = <Model extends object>(
  members: ReadonlyArray<keyof Model & string>,
  before: Model | null,
  after: Model | null
): EventChanges => {
  const changes: Record<string, { from: Schema.Json; to: Schema.Json }> = {}
  for (const member of members) {
    // An absent optional member is null in JSON.
    const [first, last]: ReadonlyArray<unknown> = [before?.[member] ?? null, after?.[member] ?? null]
    // The order of the members of an object is no difference.
    if (first === last || Equal.equals(first, last)) continue
    if (isJson(first) && isJson(last)) {
      changes[member] = { from: first, to: last }
      continue
    }
    const from = JSON.stringify(first)
    const to = JSON.stringify(last)
    const isWithoutValue = (before === null || after === null) && empty.has(from) && empty.has(to)
    if (from !== to && !isWithoutValue) changes[member] = { from: JSON.parse(from), to: JSON.parse(to) }
  }
  return changes
}
