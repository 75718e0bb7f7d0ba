/**
 * Promises of every `DocumentRepository` and its `DocumentMaintenance`. No sweeper may run on the
 * same database.
 */
import { documentBatchCases } from "./BatchConformance.ts"
import type { ConformanceSuite } from "./Conformance.ts"
import { documentEndingCases } from "./DocumentEndingConformance.ts"
import { documentMaintenanceCases } from "./DocumentMaintenanceConformance.ts"
import { documentRecordsCases } from "./DocumentRecordsConformance.ts"
import { documentFailures } from "./FailureConformance.ts"
import { documentFindingCases } from "./FindingConformance.ts"
import type { ComparedPorts } from "./Reference.ts"
import { documentReferenceCases } from "./ReferenceConformance.ts"

export const documentRepositoryConformance: ConformanceSuite<ComparedPorts> = {
  port: "DocumentRepository",
  failures: documentFailures,
  cases: [
    ...documentReferenceCases,
    ...documentRecordsCases,
    ...documentFindingCases,
    ...documentBatchCases,
    ...documentMaintenanceCases,
    ...documentEndingCases
  ]
}
