/**
 * Promises of every `EventRepository`, and of the other repositories about the events they write.
 */
import type { ConformanceSuite } from "./Conformance.ts"
import type { EventPorts } from "./EventSetup.ts"
import { siteEventCases } from "./SiteEventConformance.ts"

/**
 * @category conformance
 * @since 0.1.0
 */
export const eventRepositoryConformance: ConformanceSuite<EventPorts> = {
  port: "EventRepository",
  cases: [...siteEventCases]
}
