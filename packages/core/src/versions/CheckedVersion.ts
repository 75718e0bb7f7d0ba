/**
 * Versions that a statement judges, and the refusal that follows.
 */
import { Result } from "effect"
import { type ExpectedVersions, isExpected, type Version, VersionMismatch } from "./Version.ts"

/** Answer of such a statement about a record. It has changed nothing when the version is not expected. */
export interface CheckedVersion {
  readonly version: Version
  readonly isExpected: boolean
}

/** The same of a record in memory; null without a record. */
export const checkedVersion = (
  expected: ExpectedVersions,
  record: { readonly version: Version } | undefined
): CheckedVersion | null =>
  record === undefined ? null : { version: record.version, isExpected: isExpected(expected, record.version) }

/** Refuses a version that is not expected. */
export const judgeVersion = ({ isExpected, version }: CheckedVersion): Result.Result<void, VersionMismatch> =>
  isExpected ? Result.void : Result.fail(new VersionMismatch({ actual: version }))
