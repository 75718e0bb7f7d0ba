/**
 * Refusals of portfolio operations.
 */
import { Schema } from "effect"
import { PortfolioId } from "../caller/PortfolioId.ts"
import { redactedIds } from "../input/Redaction.ts"
import { SiteId } from "../sites/Site.ts"

/** `siteIds` are not in the portfolio. The refusal does not reveal whether they exist. */
export class SiteNotInPortfolio extends Schema.TaggedError<SiteNotInPortfolio>("@solar-sites/core/SiteNotInPortfolio")(
  "SiteNotInPortfolio",
  { portfolioId: PortfolioId, siteIds: Schema.Array(SiteId) }
) {
  readonly code = "site_not_in_portfolio"

  override get message(): string {
    return `Not in the portfolio ${redactedIds(this.portfolioId)}: ${redactedIds(...this.siteIds)}`
  }
}
