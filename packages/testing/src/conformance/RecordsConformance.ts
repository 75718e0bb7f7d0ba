/**
 * Promises of every `Records`: loaded records, and changes that happen as a whole or not at all. Cases about
 * one kind are made for each entry of `recordSamples`.
 */

import type { ConformanceSuite } from "./Conformance.ts"
import { recordsFailures } from "./FailureConformance.ts"
import { boundCases } from "./RecordBoundsConformance.ts"
import { changeCases } from "./RecordChangesConformance.ts"
import { eventCases } from "./RecordEventsConformance.ts"
import { listCases } from "./RecordListsConformance.ts"
import { loadCases } from "./RecordLoadsConformance.ts"
import { maintenanceCases } from "./RecordMaintenanceConformance.ts"
import { memberCases } from "./RecordMembersConformance.ts"
import { readCases } from "./RecordReadsConformance.ts"
import { referenceCases } from "./RecordReferencesConformance.ts"
import { recordSamples } from "./RecordSamples.ts"
import { furtherRecordsCases } from "./RecordsFurtherConformance.ts"
import type { RecordsPorts } from "./RecordsSetup.ts"
import { generatedCases, uniqueCases } from "./RecordUniqueConformance.ts"
import { requirementRecordsCases } from "./RequirementRecordsConformance.ts"

const kindCases = recordSamples.flatMap((sample) => {
  const { bounds, generated = [], references, unique } = sample.kind
  return [
    ...memberCases(sample),
    ...unique.flatMap((member) => uniqueCases(sample, member)),
    ...generated.flatMap((member) => generatedCases(sample, member)),
    ...references.flatMap((reference) => referenceCases(sample, reference)),
    ...bounds.flatMap((bound) => boundCases(sample, bound)),
    ...readCases(sample),
    ...listCases(sample)
  ]
})

export const recordsConformance: ConformanceSuite<RecordsPorts> = {
  port: "Records",
  failures: recordsFailures,
  cases: [
    ...kindCases,
    ...loadCases,
    ...changeCases,
    ...eventCases,
    ...maintenanceCases,
    ...furtherRecordsCases,
    ...requirementRecordsCases
  ]
}
