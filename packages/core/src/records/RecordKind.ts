/**
 * Records as data: kinds, stored states and changes. They are what a rule returns and what an adapter
 * stores.
 */
import { Brand, Data, type DateTime, type Schema } from "effect"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import type { EventChanges } from "../events/Event.ts"
import type { EventOrigin } from "../events/EventOrigin.ts"
import type { EventType } from "../events/EventType.ts"

/**
 * At most `maximum` records of an organisation for which `holds` is true, also among concurrent commits.
 * Names are unique among all kinds.
 */
export interface Bound<R> {
  readonly name: string
  readonly maximum: number
  readonly holds: (record: R, at: DateTime.Utc) => boolean
}

/** A member that names a record of another kind. */
export interface Reference<Member extends string = string> {
  readonly member: Member
  readonly kind: string
  readonly cascade?: true
}

/**
 * How records belong to portfolios, for callers that are limited to some:
 * - `organisation`: they see all of them.
 * - `portfolio`: the member with the id of the portfolio. With `orNone` they also see records of no portfolio.
 * - `as`: a record belongs where the record of the other kind belongs that the member names.
 */
type Belonging<Member extends string = string> =
  | "organisation"
  | { readonly portfolio: Member; readonly orNone?: true }
  | { readonly as: AnyKind; readonly member: Member }

/** Declaration of one kind of record for adapters. It holds no rule. */
export interface RecordKind<R extends { readonly id: string }> {
  readonly name: string
  /** All members of a record, also those that no caller sees. */
  readonly members: Schema.Codec<R, unknown>
  /** Members with a value that one record of the organisation alone has. Null is excepted. */
  readonly unique: ReadonlyArray<keyof R & string>
  /**
   * Members with a random value that one record of all organisations alone has. A commit of a taken
   * one fails: only a bug makes it.
   */
  readonly generated?: ReadonlyArray<keyof R & string>
  /**
   * Members with a value that one record of all organisations alone has, and that callers choose, such as the login
   * of a user. A commit of a taken one is `Stale` and names it: no load shows a record of another organisation.
   */
  readonly everywhere?: ReadonlyArray<keyof R & string>
  /** Further members that a `Find` names records by, beside `id`, unique members and references. */
  readonly indexed?: ReadonlyArray<keyof R & string>
  /**
   * Members that name a record of the organisation. It exists at the end of every commit. Null names none. With
   * `cascade` the removal of the other record removes this one, too.
   */
  readonly references: ReadonlyArray<Reference<keyof R & string>>
  readonly bounds: ReadonlyArray<Bound<R>>
  /** Not for adapters. Without it a caller that is limited to portfolios sees no record of the kind, and writes none. */
  readonly belongsTo?: Belonging<keyof R & string>
  /** Only the existence of records is read. Nothing writes this kind. */
  readonly isExistence?: true
  /** Members that are computed from other records. A commit does not write them, and no revision shows their changes. */
  readonly computed?: ReadonlyArray<keyof R & string>
}

/** Declares a kind. By default it has no unique members, references and bounds. */
export const recordKind = <R extends { readonly id: string }>(
  name: string,
  members: Schema.Codec<R, unknown>,
  declared: Partial<Omit<RecordKind<NoInfer<R>>, "name" | "members">> = {}
): RecordKind<R> => ({ name, members, unique: [], references: [], bounds: [], ...declared })

/** A kind of any record. */
export interface AnyKind {
  readonly name: string
  readonly members: Schema.Codec<object, unknown>
  readonly unique: ReadonlyArray<string>
  readonly generated?: ReadonlyArray<string>
  readonly everywhere?: ReadonlyArray<string>
  readonly indexed?: ReadonlyArray<string>
  readonly references: ReadonlyArray<Reference>
  readonly bounds: ReadonlyArray<Bound<never>>
  readonly belongsTo?: Belonging
  readonly isExistence?: true
  readonly computed?: ReadonlyArray<string>
}

/** One state of a stored record. Every write of any member changes it. It is compared for equality only. */
export type Revision = string & Brand.Brand<"Revision">
export const Revision = Brand.nominal<Revision>()

/** A record as it was loaded. */
export interface Stored<R> {
  readonly record: R
  readonly revision: Revision
}

/**
 * Names records of one kind by their ids, by the values of a unique member, or by those of a member that
 * is indexed.
 */
export interface Find {
  readonly kind: AnyKind
  /** `id`, or a member of the kind. */
  readonly by: string
  readonly values: ReadonlyArray<string> | MemberOf
  /** More bytes of records, about as JSON, fail the load. For members with a value that any number of records has. */
  readonly maximumBytes?: number
}

/** The values of a member of the records that another find names, such as the sites of found documents. */
export interface MemberOf {
  readonly of: Find & { readonly values: ReadonlyArray<string> }
  readonly member: string
}

/**
 * A record before and after a change. With `before` null the record is new, with `after` null it is
 * removed.
 */
export type Write = {
  readonly kind: AnyKind
  readonly id: string
} & (
  | { readonly before: Stored<object> | null; readonly after: object }
  | { readonly before: Stored<object>; readonly after: null }
)

/** A record that a decision was made on, and that the change does not write. */
export interface Read {
  readonly kind: AnyKind
  readonly id: string
  /** The revision that the record still has; null when it is still absent. */
  readonly revision: Revision | null
}

/** An event without its id, sequence and origin, which a commit adds. */
export interface NewEvent {
  readonly type: EventType
  readonly subjectId: string
  readonly subjectName: string | null
  readonly siteId: string | null
  readonly changes: EventChanges
}

/**
 * A change of records of one organisation, at most one write per record. Its events are numbered in this
 * order, in the order of commits. A change with a read of an absent record, or with a record that begins
 * to hold in a bound, has an event. A change of API keys has no records of other kinds: an adapter may keep them
 * apart, since keys are looked up in all organisations.
 */
export interface Change {
  readonly writes: ReadonlyArray<Write>
  readonly reads: ReadonlyArray<Read>
  readonly events: ReadonlyArray<NewEvent>
  readonly origin: EventOrigin
  /** The instant at which bounds are judged. */
  readonly at: DateTime.Utc
  /** All writes are of these portfolios. An adapter may fail others, which only a bug makes. */
  readonly within?: ReadonlyArray<PortfolioId>
}

/**
 * A change that took effect. `revisions` are those of its writes, in their order; null for a new or removed
 * record.
 */
export interface Committed {
  readonly _tag: "Committed"
  readonly revisions: ReadonlyArray<Revision | null>
}

/** Why a commit was refused, beside changed records. `full` is a bound, `taken` a member of `everywhere`. */
export interface Obstacle {
  readonly full?: string
  readonly taken?: { readonly kind: string; readonly member: string }
}

/**
 * Nothing happened: a record has another revision than expected, an id or a unique value is taken, a
 * referenced record is missing, or a bound is full. `conflict` names the obstacle in messages for
 * operators.
 */
export class Stale extends Data.TaggedClass("Stale")<Obstacle & { readonly conflict: string }> {}

/** The bounds that a record holds after a write, and did not hold before. */
export const beginsToHold = ({ after, before, kind }: Write, at: DateTime.Utc): ReadonlyArray<Bound<never>> => {
  // A record of a kind is what the bounds of the kind judge.
  const holds = (bound: Bound<never>, record: object | null) => record !== null && bound.holds(record as never, at)
  return kind.bounds.filter((bound) => holds(bound, after) && !holds(bound, before?.record ?? null))
}
