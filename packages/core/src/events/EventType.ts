/**
 * Types of events, and patterns of types such as `document.*`.
 */
import { Schema } from "effect"

const namesOf = {
  site: ["created", "updated", "deleted"],
  portfolio: ["created", "updated", "deleted"],
  document: [
    "requested",
    "reissued",
    "uploaded",
    "failed",
    "approved",
    "completed",
    "updated",
    "replaced",
    "deleted",
    "expiring",
    "expired"
  ],
  api_key: ["created", "rotated", "deleted"],
  user: ["invited", "created", "updated", "deleted", "logged_in", "login_failed"],
  webhook: ["created", "updated", "deleted", "disabled"],
  requirements: ["updated"],
  organisation: ["updated"]
} as const

type Names = typeof namesOf

/** Kinds of resources that events are about. The type of an event begins with it. */
export type EventSubjectType = keyof Names

export type EventType = { [Subject in EventSubjectType]: `${Subject}.${Names[Subject][number]}` }[EventSubjectType]

/** A type, or all types of a subject, such as `document.*`. */
export type EventPattern = EventType | `${EventSubjectType}.*`

// The lists below hold each member of these types, which a loop over the names cannot express.
const subjects = Object.keys(namesOf) as ReadonlyArray<EventSubjectType>

export const EventSubjectType: Schema.Literals<ReadonlyArray<EventSubjectType>> = Schema.Literals(subjects)

/** All types of events that are stored. */
export const eventTypes: ReadonlyArray<EventType> = subjects.flatMap((subject) =>
  namesOf[subject].map((name) => `${subject}.${name}` as EventType)
)

export const EventType: Schema.Literals<ReadonlyArray<EventType>> = Schema.Literals(eventTypes)

export const EventPattern: Schema.Literals<ReadonlyArray<EventPattern>> = Schema.Literals<ReadonlyArray<EventPattern>>([
  ...eventTypes,
  ...subjects.map((subject) => `${subject}.*` as const)
])

/** The kind of resource that events of a type are about. */
export const subjectTypeOf = (type: EventType): EventSubjectType =>
  // Each type begins with its subject.
  type.slice(0, type.indexOf(".")) as EventSubjectType

/** The types that at least one of the patterns includes, each once. `*` includes all. */
export const eventTypesIn = (patterns: ReadonlyArray<EventPattern | "*">): ReadonlyArray<EventType> => {
  const named = new Set<string>(patterns)
  return eventTypes.filter((type) => named.has("*") || named.has(type) || named.has(`${subjectTypeOf(type)}.*`))
}
