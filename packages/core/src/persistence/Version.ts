/**
 * Versions count the changes of a resource, so that a writer can say which
 * state it has seen.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"

/**
 * Counts up from 1 with every change.
 *
 * @category models
 * @since 0.1.0
 */
export const Version = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
export type Version = typeof Version.Type

/**
 * The versions a writer is willing to change. `undefined`: any; an empty list: none.
 * They may be greater than a store can hold: that is a mismatch, not a failure.
 *
 * @category models
 * @since 0.1.0
 */
export type ExpectedVersions = ReadonlyArray<Version> | undefined

/**
 * True when a resource of this version may be changed.
 *
 * @category guards
 * @since 0.1.0
 */
export const isExpected = (expected: ExpectedVersions, actual: Version): boolean =>
  expected === undefined || expected.includes(actual)

/**
 * The resource is not in a version the writer expected; nothing was changed.
 *
 * @category errors
 * @since 0.1.0
 */
export class VersionMismatch extends Schema.TaggedError<VersionMismatch>("@solar-sites/core/VersionMismatch")(
  "VersionMismatch",
  { actual: Version }
) {
  readonly code = "precondition_failed"

  override get message(): string {
    return `The resource is in version ${this.actual}, which is not an expected one`
  }
}
