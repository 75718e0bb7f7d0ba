/**
 * A row of the table of operations: what holds for an operation wherever it is called. The check of
 * scopes, the promises, the HTTP contract and the tests derive from it.
 */
import type { Schema } from "effect"
import { Version } from "../versions/Version.ts"
import type { ApiScope } from "./ApiScope.ts"
import type { PortfolioId } from "./PortfolioId.ts"
import type { CallerLimited, PortfolioRequired } from "./Reach.ts"

/** A resource that an argument names. A text that is no id fails as `missing`. */
export interface Named {
  readonly schema: Schema.ConstraintDecoder<string> & { readonly make: (text: string) => string }
  readonly missing: (id: never) => unknown
}

/** Arguments are the named resources, the input and the expected versions, in this order. */
export interface Operation {
  /** A read ends when its caller cancels it; a write that has begun completes. */
  readonly kind: "read" | "stream" | "write"
  /**
   * Scopes that every call needs (specification, section 13). Writing does not include reading; a
   * write returns the resource all the same.
   */
  readonly scopes: ReadonlyArray<ApiScope>
  /** Scopes that this input needs beyond those of every call, of a caller that is limited to these portfolios. */
  readonly scopesOf?: (input: never, portfolioIds?: ReadonlyArray<PortfolioId>) => ReadonlyArray<ApiScope>
  /** The refusal of every call by a caller that is limited to portfolios. */
  readonly limited?: (CallerLimited | PortfolioRequired)["code"]
  /** The refusal of this input of such a caller; null without one. */
  readonly limitedInput?: (input: never) => PortfolioRequired | null
  readonly names?: ReadonlyArray<Named>
  readonly input?: Schema.ConstraintDecoder<unknown>
  /** The result over HTTP; absent for an operation without output. */
  readonly output?: Schema.Top
  /** Codes of its refusals, except those that every operation can have. */
  readonly refusals: ReadonlyArray<string>
  /** The expected version, of an operation that depends on a version of its resource. */
  readonly version?: Schema.Codec<number>
  /** True when the result is kept under an `Idempotency-Key`, and returned to a repetition. */
  readonly replay?: true
}

/** What the access of a caller to an operation depends on. */
export type Access = Pick<Operation, "scopes" | "scopesOf" | "limited" | "limitedInput">

type Facts = Omit<Operation, "kind" | "version" | "replay">

/** An operation that only reads. */
export const read = <const Row extends Facts>(row: Row): Row & { readonly kind: "read" } => ({ kind: "read", ...row })

/** A read that returns a stream. */
export const stream = <const Row extends Facts>(row: Row): Row & { readonly kind: "stream" } => ({
  kind: "stream",
  ...row
})

/** A write that a repetition would do once more, so its result is kept. */
export const create = <const Row extends Facts>(row: Row): Row & { readonly kind: "write"; readonly replay: true } => ({
  kind: "write",
  replay: true,
  ...row
})

/** A write of an existing resource, on demand in one version only. */
export const change = <const Row extends Facts & Pick<Operation, "version">>(
  row: Row
): Row & { readonly kind: "write"; readonly version: Schema.Codec<number> } => ({
  kind: "write",
  version: Version,
  ...row
})
