/**
 * Promises of every `DocumentRepository` and its `DocumentMaintenance`. No sweeper may run on the
 * same database.
 */
import { documentBatchCases } from "./BatchConformance.ts"
import type { ConformanceSuite } from "./Conformance.ts"
import { documentIsolationCases } from "./DocumentIsolationConformance.ts"
import { documentMaintenanceCases } from "./DocumentMaintenanceConformance.ts"
import { documentRecordsCases } from "./DocumentRecordsConformance.ts"
import { documentRevisionCases } from "./DocumentRevisionConformance.ts"
import type { DocumentPorts } from "./DocumentSetup.ts"
import { documentTurnsCases } from "./DocumentTurnsConformance.ts"
import { documentFailures } from "./FailureConformance.ts"
import { fileClaimCases } from "./FileClaimConformance.ts"
import { documentFindingCases } from "./FindingConformance.ts"
import { siteCascadeCases } from "./SiteCascadeConformance.ts"

export const documentRepositoryConformance: ConformanceSuite<DocumentPorts> = {
  port: "DocumentRepository",
  failures: documentFailures,
  cases: [
    ...documentRecordsCases,
    ...documentFindingCases,
    ...documentBatchCases,
    ...documentIsolationCases,
    ...documentRevisionCases,
    ...siteCascadeCases,
    ...documentMaintenanceCases,
    ...fileClaimCases,
    ...documentTurnsCases
  ]
}
