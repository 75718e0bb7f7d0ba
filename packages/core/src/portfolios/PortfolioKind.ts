/**
 * Portfolios as records.
 */
import { eventAbout, named } from "../records/EventAbout.ts"
import type { RecordKind } from "../records/RecordKind.ts"
import { Portfolio, portfolioMembers } from "./Portfolio.ts"

export const portfolioKind: RecordKind<Portfolio> = {
  name: "portfolio",
  members: Portfolio,
  unique: ["externalId"],
  references: [{ member: "organisationId", kind: "organisation" }],
  bounds: [],
  belongsTo: { portfolio: "id" },
  computed: ["siteCount", "capacityKw"]
}

/** An event about a change of a portfolio. Null is the state before its creation or after its deletion. */
export const portfolioEvent = eventAbout<Portfolio>(portfolioMembers, named)
