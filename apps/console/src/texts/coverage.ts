/** Coverage of required documents. */
import type { SiteCoverage } from "@solar-sites/http-node/client"

export type CoverageState = SiteCoverage["items"][number]["state"]

const states: Record<CoverageState, string> = {
  missing: "Missing",
  pending: "Waiting for its file",
  valid: "Valid",
  expiring: "Expires soon",
  expired: "Expired",
  not_yet_valid: "Not valid yet"
}

export const coverageTexts = { states }
