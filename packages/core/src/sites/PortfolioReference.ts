/**
 * Reference of a site to its portfolio.
 */
import { Schema } from "effect"
import { PortfolioId } from "../caller/PortfolioId.ts"
import { redactedIds } from "../input/Redaction.ts"

/** Some of the portfolios are not in the organisation of the caller; nothing was changed. */
export class PortfoliosNotFound extends Schema.TaggedError<PortfoliosNotFound>("@solar-sites/core/PortfoliosNotFound")(
  "PortfoliosNotFound",
  { portfolioIds: Schema.NonEmptyArray(PortfolioId) }
) {
  readonly code = "portfolio_not_found"

  override get message(): string {
    return `No such portfolios in this organisation: ${redactedIds(...this.portfolioIds)}`
  }
}

/**
 * No such portfolio in the organisation of the caller. A portfolio of another organisation gets the
 * same refusal, so that ids cannot be probed.
 */
export class PortfolioNotFound extends Schema.TaggedError<PortfolioNotFound>("@solar-sites/core/PortfolioNotFound")(
  "PortfolioNotFound",
  { portfolioId: PortfolioId }
) {
  readonly code = "portfolio_not_found"

  override get message(): string {
    return `No such portfolio in this organisation: ${redactedIds(this.portfolioId)}`
  }
}
