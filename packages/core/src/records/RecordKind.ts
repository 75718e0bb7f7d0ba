/**
 * Records as data: kinds, stored states and changes. They are what a rule returns and what an adapter
 * stores.
 */
import { Brand, Data } from "effect"
import type { EventChanges } from "../events/Event.ts"
import type { EventOrigin } from "../events/EventOrigin.ts"
import type { EventType } from "../events/EventType.ts"

/**
 * What an adapter knows of one kind of record. It holds no rule.
 *
 * @category models
 * @since 0.1.0
 */
export interface RecordKind<R extends { readonly id: string }> {
  readonly name: string
  /** Members with a value that one record of the organisation alone has. Null is excepted. */
  readonly unique: ReadonlyArray<keyof R & string>
  /** Members that name a record of the organisation. It exists at the end of every commit. Null names none. */
  readonly references: ReadonlyArray<{ readonly member: keyof R & string; readonly kind: string }>
}

/** A kind of any record. */
export interface AnyKind {
  readonly name: string
  readonly unique: ReadonlyArray<string>
  readonly references: ReadonlyArray<{ readonly member: string; readonly kind: string }>
}

/**
 * One state of a stored record. Every write of any member changes it. It is compared for equality only.
 *
 * @category models
 * @since 0.1.0
 */
export type Revision = string & Brand.Brand<"Revision">
export const Revision = Brand.nominal<Revision>()

/**
 * A record as it was loaded.
 *
 * @category models
 * @since 0.1.0
 */
export interface Stored<R> {
  readonly record: R
  readonly revision: Revision
}

/**
 * Names records of one kind by their ids, or by the values of a unique member.
 *
 * @category models
 * @since 0.1.0
 */
export interface Find {
  readonly kind: AnyKind
  /** `id`, or a unique member of the kind. */
  readonly by: string
  readonly values: ReadonlyArray<string>
}

/**
 * A record before and after a change. With `before` null the record is new.
 *
 * @category models
 * @since 0.1.0
 */
export interface Write {
  readonly kind: AnyKind
  readonly id: string
  readonly before: Stored<object> | null
  readonly after: object
}

/**
 * An event without its id, sequence and origin, which a commit adds.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewEvent {
  readonly type: EventType
  readonly subjectId: string
  readonly subjectName: string | null
  readonly siteId: string | null
  readonly changes: EventChanges
}

/**
 * A change of records of one organisation, at most one write per record. Its events are numbered in this
 * order, in the order of commits.
 *
 * @category models
 * @since 0.1.0
 */
export interface Change {
  readonly writes: ReadonlyArray<Write>
  readonly events: ReadonlyArray<NewEvent>
  readonly origin: EventOrigin
}

/**
 * A change that took effect. `revisions` are those of its writes, in their order; null for a new record.
 *
 * @category models
 * @since 0.1.0
 */
export interface Committed {
  readonly _tag: "Committed"
  readonly revisions: ReadonlyArray<Revision | null>
}

/**
 * Nothing happened: a record has another revision than expected, an id or a unique value is taken, or a
 * referenced record is missing. `conflict` names the obstacle in messages for operators.
 *
 * @category errors
 * @since 0.1.0
 */
export class Stale extends Data.TaggedClass("Stale")<{ readonly conflict: string }> {}
