/**
 * Portfolios as records.
 */
import { eventAbout, named } from "../records/EventAbout.ts"
import { recordKind } from "../records/RecordKind.ts"
import { Portfolio, portfolioMembers } from "./Portfolio.ts"

export const portfolioKind = recordKind("portfolio", Portfolio, {
  unique: ["externalId"],
  references: [{ member: "organisationId", kind: "organisation" }],
  belongsTo: { portfolio: "id" },
  computed: ["siteCount", "capacityKw"]
})

/** An event about a change of a portfolio. Null is the state before its creation or after its deletion. */
export const portfolioEvent = eventAbout<Portfolio>(portfolioMembers, named)
