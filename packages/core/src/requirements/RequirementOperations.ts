/**
 * The operations on required documents and their coverage: JSON forms, promises and rows.
 */
import type { OperationOptions } from "../caller/CallOptions.ts"
import { change, read } from "../caller/Operation.ts"
import { type List, listOf } from "../lists/Page.ts"
import { DocumentRequirements, ReplaceRequirements } from "./Requirement.ts"
import { CoverageSummary, ListCoverage, SiteCoverage, SummariseCoverage } from "./SiteCoverage.ts"

export type PlainDocumentRequirements = typeof DocumentRequirements.Encoded

/** The whole list, at most 200 requirements. */
export type PlainReplaceRequirements = typeof ReplaceRequirements.Encoded

export type PlainSiteCoverage = typeof SiteCoverage.Encoded

export type PlainListCoverage = typeof ListCoverage.Encoded

export type PlainCoverageSummary = typeof CoverageSummary.Encoded

export type PlainSummariseCoverage = typeof SummariseCoverage.Encoded

/** The documents that sites need. */
export interface RequirementOperations<Options extends OperationOptions = OperationOptions> {
  /** Empty and of version 0 until the list is replaced for the first time. */
  readonly get: (options?: Options["read"]) => Promise<PlainDocumentRequirements>
  /** Replaces the whole list; an equal list changes nothing. `expectedVersion` can be 0. */
  readonly replace: (
    requirements: PlainReplaceRequirements,
    options?: Options["change"]
  ) => Promise<PlainDocumentRequirements>
}

/** How far the sites have the documents that they need. */
export interface CoverageOperations<Options extends OperationOptions = OperationOptions> {
  /** Sites with their items, oldest site first; complete without `limit`. */
  readonly list: (query?: PlainListCoverage, options?: Options["read"]) => Promise<List<PlainSiteCoverage>>
  /** Numbers of sites per document type and state. */
  readonly summary: (query?: PlainSummariseCoverage, options?: Options["read"]) => Promise<PlainCoverageSummary>
}

export const requirementOperations = {
  get: read({ scopes: ["requirements:read"], output: DocumentRequirements, refusals: [] }),
  replace: change({
    scopes: ["requirements:write"],
    limited: "caller_limited",
    input: ReplaceRequirements,
    output: DocumentRequirements,
    refusals: ["portfolio_not_found"],
    // 0 before the list is stored.
    version: DocumentRequirements.fields.version
  })
}

export const coverageOperations = {
  list: read({ scopes: ["documents:read"], input: ListCoverage, output: listOf(SiteCoverage), refusals: [] }),
  summary: read({ scopes: ["documents:read"], input: SummariseCoverage, output: CoverageSummary, refusals: [] })
}
