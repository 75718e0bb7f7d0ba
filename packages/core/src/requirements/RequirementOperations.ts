/**
 * The operations on required documents and their coverage.
 */
import { change, read } from "../caller/Operation.ts"
import { listOf } from "../persistence/Page.ts"
import { DocumentRequirements, ReplaceRequirements } from "./Requirement.ts"
import { CoverageSummary, ListCoverage, SiteCoverage, SummariseCoverage } from "./SiteCoverage.ts"

export const requirementOperations = {
  get: read({ scopes: ["requirements:read"], output: DocumentRequirements, refusals: [] }),
  replace: change({
    scopes: ["requirements:write"],
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
