/**
 * Promises of every `WebhookQueue`. Organisations, sites and the
 * event log are part of the setup.
 */
import type { ConformanceSuite } from "./Conformance.ts"
import { webhookQueueFailures } from "./FailureConformance.ts"
import { webhookClaimCases } from "./WebhookClaimConformance.ts"
import { webhookDispatchCases } from "./WebhookDispatchConformance.ts"
import { webhookIsolationCases } from "./WebhookIsolationConformance.ts"
import type { WebhookPorts } from "./WebhookSetup.ts"

export const webhookQueueConformance: ConformanceSuite<WebhookPorts> = {
  port: "WebhookQueue",
  failures: webhookQueueFailures,
  cases: [...webhookDispatchCases, ...webhookClaimCases, ...webhookIsolationCases]
}
