/**
 * Sums of portfolios.
 */
import type { Portfolio } from "@solar-sites/http-node/client"
import { portfolioTexts as texts } from "../texts/en/portfolios.ts"

type Summand = Pick<Portfolio, "siteCount" | "capacityKw">

/** Sums the exact figures: those of the rows are rounded. */
export const portfolioTotal = (portfolios: ReadonlyArray<Summand>): string =>
  texts.totals(
    portfolios.length,
    portfolios.reduce((total, { siteCount }) => total + siteCount, 0),
    portfolios.reduce((total, { capacityKw }) => total + capacityKw, 0)
  )
