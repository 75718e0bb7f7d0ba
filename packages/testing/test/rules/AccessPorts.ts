import type { ApiKeyStore, WebhookQueue } from "@solar-sites/core"
import type { EventPorts } from "../../src/conformance/EventSetup.ts"

/** Ports of the cases about API keys and webhooks. */
export type AccessPorts = EventPorts | ApiKeyStore | WebhookQueue
