/**
 * Sites as records.
 */
import { Schema } from "effect"
import { PortfolioId } from "../caller/PortfolioId.ts"
import { eventAbout } from "../records/EventAbout.ts"
import { recordKind } from "../records/RecordKind.ts"
import { Site, siteMembers } from "./Site.ts"

export const siteKind = recordKind("site", Site, {
  unique: ["externalId"],
  references: [
    { member: "organisationId", kind: "organisation" },
    { member: "portfolioId", kind: "portfolio" }
  ],
  belongsTo: { portfolio: "portfolioId" }
})

/** The existence of a portfolio, which sites refer to. */
export const portfolioReference = recordKind("portfolio", Schema.Struct({ id: PortfolioId }), {
  belongsTo: { portfolio: "id" },
  isExistence: true
})

/** An event about a change of a site. Null is the state before its creation or after its deletion. */
export const siteEvent = eventAbout<Site>(siteMembers, ({ id, siteName }) => ({
  subjectId: id,
  subjectName: siteName,
  siteId: id
}))
