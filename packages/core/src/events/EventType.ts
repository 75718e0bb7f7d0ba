/**
 * Types of events, and patterns of types such as `document.*`.
 */
import { Schema } from "effect"

const namesOf = {
  site: ["created", "updated", "deleted"],
  portfolio: ["created", "updated", "deleted"],
  document: ["requested", "reissued", "uploaded", "failed", "approved", "completed", "updated", "replaced", "deleted"],
  api_key: ["created", "rotated", "deleted"],
  user: ["invited", "created", "updated", "deleted", "logged_in", "login_failed"],
  webhook: ["created", "updated", "deleted", "disabled"],
  requirements: ["updated"],
  organisation: ["updated"]
} as const

type Names = typeof namesOf

/**
 * Kinds of resources that events are about. The type of an event begins with it.
 *
 * @category models
 * @since 0.1.0
 */
export type EventSubjectType = keyof Names

/**
 * @category models
 * @since 0.1.0
 */
export type EventType = { [Subject in EventSubjectType]: `${Subject}.${Names[Subject][number]}` }[EventSubjectType]

/**
 * A type, or all types of a subject, such as `document.*`.
 *
 * @category models
 * @since 0.1.0
 */
export type EventPattern = EventType | `${EventSubjectType}.*`

// The lists below hold each member of these types, which a loop over the names cannot express.
const subjects = Object.keys(namesOf) as ReadonlyArray<EventSubjectType>

/**
 * @category schemas
 * @since 0.1.0
 */
export const EventSubjectType: Schema.Literals<ReadonlyArray<EventSubjectType>> = Schema.Literals(subjects)

/**
 * All types of events that are stored.
 *
 * @category models
 * @since 0.1.0
 */
export const eventTypes: ReadonlyArray<EventType> = subjects.flatMap((subject) =>
  namesOf[subject].map((name) => `${subject}.${name}` as EventType)
)

/**
 * @category schemas
 * @since 0.1.0
 */
export const EventType: Schema.Literals<ReadonlyArray<EventType>> = Schema.Literals(eventTypes)

/**
 * @category schemas
 * @since 0.1.0
 */
export const EventPattern: Schema.Literals<ReadonlyArray<EventPattern>> = Schema.Literals<ReadonlyArray<EventPattern>>([
  ...eventTypes,
  ...subjects.map((subject) => `${subject}.*` as const)
])

/**
 * The kind of resource that events of a type are about.
 *
 * @category getters
 * @since 0.1.0
 */
export const subjectTypeOf = (type: EventType): EventSubjectType =>
  // Each type begins with its subject.
  type.slice(0, type.indexOf(".")) as EventSubjectType

/**
 * The types that at least one of the patterns includes, each once. `*` includes all.
 *
 * @category getters
 * @since 0.1.0
 */
export const eventTypesIn = (patterns: ReadonlyArray<EventPattern | "*">): ReadonlyArray<EventType> => {
  const named = new Set<string>(patterns)
  return eventTypes.filter((type) => named.has("*") || named.has(type) || named.has(`${subjectTypeOf(type)}.*`))
}
