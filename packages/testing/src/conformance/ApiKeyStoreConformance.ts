/**
 * Promises of every `ApiKeyStore`. Organisations are part of the setup.
 */
import { apiKeyChangeCases } from "./ApiKeyChangeConformance.ts"
import { apiKeyMaximumCases } from "./ApiKeyMaximumConformance.ts"
import { apiKeyRecordsCases } from "./ApiKeyRecordsConformance.ts"
import type { KeyPorts } from "./ApiKeySetup.ts"
import type { ConformanceSuite } from "./Conformance.ts"
import { apiKeyFailures } from "./FailureConformance.ts"

/**
 * @category conformance
 * @since 0.1.0
 */
export const apiKeyStoreConformance: ConformanceSuite<KeyPorts> = {
  port: "ApiKeyStore",
  failures: apiKeyFailures,
  cases: [...apiKeyRecordsCases, ...apiKeyChangeCases, ...apiKeyMaximumCases]
}
