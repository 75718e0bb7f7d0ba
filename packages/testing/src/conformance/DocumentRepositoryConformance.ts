/**
 * Promises of every `DocumentRepository` and its `DocumentMaintenance`. No sweeper may run on the
 * same database.
 */
import { documentBatchCases } from "./BatchConformance.ts"
import { documentConditionCases } from "./ConditionConformance.ts"
import type { ConformanceSuite } from "./Conformance.ts"
import { documentClaimCases } from "./DocumentClaimConformance.ts"
import { documentCoverCases } from "./DocumentCoverConformance.ts"
import { documentDeletionCases } from "./DocumentDeletionConformance.ts"
import { documentIsolationCases } from "./DocumentIsolationConformance.ts"
import { documentMaintenanceCases } from "./DocumentMaintenanceConformance.ts"
import { documentMetadataCases } from "./DocumentMetadataConformance.ts"
import { documentPendingCases } from "./DocumentPendingConformance.ts"
import { documentRecordsCases } from "./DocumentRecordsConformance.ts"
import { documentReplacementCases } from "./DocumentReplacementConformance.ts"
import { documentRevisionCases } from "./DocumentRevisionConformance.ts"
import type { DocumentPorts } from "./DocumentSetup.ts"
import { documentStepCases } from "./DocumentStepConformance.ts"
import { documentTurnsCases } from "./DocumentTurnsConformance.ts"
import { documentExpectedVersionCases } from "./ExpectedVersionConformance.ts"
import { documentFailures } from "./FailureConformance.ts"
import { documentFindingCases } from "./FindingConformance.ts"
import { documentRepeatedInsertCases } from "./RepeatedInsertConformance.ts"
import { replacementRaceCases } from "./ReplacementRaceConformance.ts"

/**
 * @category conformance
 * @since 0.1.0
 */
export const documentRepositoryConformance: ConformanceSuite<DocumentPorts> = {
  port: "DocumentRepository",
  failures: documentFailures,
  cases: [
    ...documentRecordsCases,
    ...documentConditionCases,
    ...documentFindingCases,
    ...documentBatchCases,
    ...documentIsolationCases,
    ...documentRepeatedInsertCases,
    ...documentStepCases,
    ...documentExpectedVersionCases,
    ...documentMetadataCases,
    ...documentReplacementCases,
    ...replacementRaceCases,
    ...documentRevisionCases,
    ...documentCoverCases,
    ...documentDeletionCases,
    ...documentClaimCases,
    ...documentMaintenanceCases,
    ...documentTurnsCases,
    ...documentPendingCases
  ]
}
