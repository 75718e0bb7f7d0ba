/** Health: whether required documents are there and valid. The same words on every page. */
import type { SiteCoverage } from "@solar-sites/http-node/client"

/** State of one required document. */
export type CoverageState = SiteCoverage["items"][number]["state"]

/** `complete` is the state of sites alone. */
export type HealthState = CoverageState | "complete"

const states: Record<HealthState, string> = {
  missing: "Missing",
  pending: "Waiting for its file",
  valid: "Valid",
  expiring: "Expires soon",
  expired: "Expired",
  not_yet_valid: "Not valid yet",
  complete: "Complete"
}

export const healthTexts = {
  states,
  column: "Health",
  any: "Any health"
}
