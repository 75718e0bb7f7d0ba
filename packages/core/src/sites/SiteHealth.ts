/**
 * Health of a site: the most urgent state of its required documents. The slice `requirements` computes it.
 */
import { Schema } from "effect"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import type { CalendarDate } from "../input/CalendarDate.ts"
import type { SiteConditions } from "./Site.ts"

/**
 * The most urgent first. `missing` stands for every required document that is not there today: a pending one and
 * one that is not valid yet, too. A site without requirements is `complete`.
 */
export const SiteHealth = Schema.Literals(["expired", "missing", "expiring", "complete"])
export type SiteHealth = typeof SiteHealth.Type

/** The health of sites on a day. */
export interface HealthOnDay {
  readonly is: SiteHealth
  readonly asOf: CalendarDate
}

/** Conditions of `SiteRepository.list`. The portfolio null finds sites in no portfolio. */
export type FoundSites = Omit<SiteConditions, "portfolioId"> & {
  readonly portfolioId?: PortfolioId | null
  readonly health?: HealthOnDay
}
