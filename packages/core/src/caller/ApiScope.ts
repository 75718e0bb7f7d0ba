/**
 * Scopes: what a caller may do (specification, section 13). A caller without a list of scopes has
 * all of them.
 */
import { Schema } from "effect"

export const ApiScope = Schema.Literals([
  "sites:read",
  "sites:write",
  "portfolios:read",
  "portfolios:write",
  "documents:read",
  "documents:write",
  "documents:approve",
  "events:read",
  "webhooks:read",
  "webhooks:write",
  "requirements:read",
  "requirements:write"
])
export type ApiScope = typeof ApiScope.Type

/** Every scope. */
export const apiScopes: ReadonlyArray<ApiScope> = ApiScope.literals

/** True of a list that holds every scope, in any order. */
export const hasAllScopes = (scopes: ReadonlyArray<ApiScope>): boolean =>
  apiScopes.every((scope) => scopes.includes(scope))

/** The caller lacks scopes that the operation needs. Nothing was read or changed. */
export class ScopeMissing extends Schema.TaggedError<ScopeMissing>("@solar-sites/core/ScopeMissing")("ScopeMissing", {
  missing: Schema.Array(ApiScope)
}) {
  readonly code = "scope_missing"

  override get message(): string {
    return `The caller lacks ${this.missing.length === 1 ? "the scope" : "the scopes"} ${this.missing.join(", ")}`
  }
}
