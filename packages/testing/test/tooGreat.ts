/**
 * Failures of adapters at versions beyond 32 bits.
 */
import { type ExpectedVersions, RepositoryError } from "@solar-sites/core"
import { Effect } from "effect"

const failure = new RepositoryError({ operation: "test", retryable: false, cause: new Error("out of range") })

/** Fails instead of the effect where a version is no 32-bit integer. */
export const unlessTooGreat = <A, E>(versions: ExpectedVersions, effect: Effect.Effect<A, E>) =>
  versions?.some((version) => version > 2 ** 31 - 1) === true ? Effect.fail(failure) : effect
