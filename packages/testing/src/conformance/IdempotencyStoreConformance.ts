/**
 * Promises of every `IdempotencyStore`.
 */
import type { ConformanceSuite } from "./Conformance.ts"
import { idempotencyFailures } from "./FailureConformance.ts"
import { idempotencyAnswerCases } from "./IdempotencyAnswerConformance.ts"
import { idempotencyCallerCases } from "./IdempotencyCallerConformance.ts"
import { idempotencyClaimCases } from "./IdempotencyClaimConformance.ts"
import { idempotencyPurgeCases } from "./IdempotencyPurgeConformance.ts"
import type { IdempotencyPorts } from "./IdempotencySetup.ts"

export const idempotencyStoreConformance: ConformanceSuite<IdempotencyPorts> = {
  port: "IdempotencyStore",
  failures: idempotencyFailures,
  cases: [...idempotencyClaimCases, ...idempotencyCallerCases, ...idempotencyAnswerCases, ...idempotencyPurgeCases]
}
