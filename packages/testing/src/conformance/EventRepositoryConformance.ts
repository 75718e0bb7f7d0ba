/**
 * Promises of every `EventRepository`, and of the other repositories about the events they write.
 */
import type { ConformanceSuite } from "./Conformance.ts"
import { eventFeedCases } from "./EventFeedConformance.ts"
import { eventPurgeCases } from "./EventPurgeConformance.ts"
import type { EventPorts } from "./EventSetup.ts"
import { eventSizeCases } from "./SizeConformance.ts"

export const eventRepositoryConformance: ConformanceSuite<EventPorts> = {
  port: "EventRepository",
  cases: [...eventFeedCases, ...eventSizeCases, ...eventPurgeCases]
}
