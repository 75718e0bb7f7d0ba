/**
 * Events about changes of records, for rules.
 */
import { changesBetween, type EventChanges } from "../events/Event.ts"
import type { EventType } from "../events/EventType.ts"
import type { NewEvent } from "./RecordKind.ts"

type Subject = Pick<NewEvent, "subjectId" | "subjectName" | "siteId">

/**
 * Makes events about changes of one kind of record, of `members` alone. Null is the state before creation or
 * after deletion. `further` are changes beside those of members.
 */
export const eventAbout =
  <Model extends object>(members: ReadonlyArray<keyof Model & string>, subjectOf: (state: Model) => Subject) =>
  (type: EventType, before: Model | null, after: Model | null, further: EventChanges = {}): NewEvent => {
    const state = after ?? before
    if (state === null) throw new TypeError("an event needs a state of its subject")
    return { type, ...subjectOf(state), changes: { ...changesBetween(members, before, after), ...further } }
  }

/** The subject of a record with a name, outside of sites. */
export const named = ({ id, name }: { readonly id: string; readonly name: string }): Subject => ({
  subjectId: id,
  subjectName: name,
  siteId: null
})
