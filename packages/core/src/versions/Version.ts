/**
 * Versions count the changes of a resource, for optimistic locking.
 */
import { type DateTime, Schema } from "effect"

/** Starts at 1 and increases by 1 with every change. */
export const Version = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
export type Version = typeof Version.Type

/**
 * Versions that a writer accepts. `undefined` accepts any version, an empty list none. A version
 * beyond the range of a store is a mismatch, not a failure.
 */
export type ExpectedVersions = ReadonlyArray<Version> | undefined

/** True when a resource of this version may be changed. */
export const isExpected = (expected: ExpectedVersions, actual: Version): boolean =>
  expected === undefined || expected.includes(actual)

/**
 * The resource has another version than expected; nothing was changed. `actual` is 0 for a list that
 * was never stored.
 */
export class VersionMismatch extends Schema.TaggedError<VersionMismatch>("@solar-sites/core/VersionMismatch")(
  "VersionMismatch",
  { actual: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)) }
) {
  readonly code = "precondition_failed"

  override get message(): string {
    return `The resource has version ${this.actual}, which was not expected`
  }
}

/** Time and precondition of a change. */
export interface ChangeOptions {
  /** Becomes `updatedAt` of the changed record. */
  readonly at: DateTime.Utc
  readonly expectedVersions?: ExpectedVersions
}
