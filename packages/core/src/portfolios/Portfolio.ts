/**
 * A portfolio: a named group of sites. It also defines the inputs of portfolio operations.
 */
import { Schema } from "effect"
import { PortfolioId } from "../caller/PortfolioId.ts"
import { differentExternalIds, ExternalId } from "../ids/ExternalId.ts"
import { boundedArray, distinctArray } from "../input/BoundedArray.ts"
import { readOnlyMembers } from "../input/ReadOnlyMembers.ts"
import { Name, SearchText } from "../input/Text.ts"
import { Timestamp } from "../input/Timestamp.ts"
import { maximumPageSize, paging } from "../lists/Page.ts"
import { type ConditionsOf, sorting } from "../lists/Sorting.ts"
import { OrganisationId } from "../organisations/Organisation.ts"
import { Site, SiteId } from "../sites/Site.ts"
import { Version } from "../versions/Version.ts"

/**
 * `siteCount` and `capacityKw` (kilowatts, exact across mixed units) are totals over the sites at
 * the time of reading. `version` counts changes of the portfolio, not moves of sites.
 */
export class Portfolio extends Schema.Class<Portfolio>("@solar-sites/core/Portfolio")({
  id: PortfolioId,
  organisationId: OrganisationId,
  name: Name,
  siteCount: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
  capacityKw: Schema.Finite,
  createdAt: Schema.DateTimeUtcFromString,
  updatedAt: Schema.DateTimeUtcFromString,
  version: Version,
  externalId: Schema.NullOr(ExternalId)
}) {}

/** The members that callers set: events show their changes. */
export const portfolioMembers = ["name", "externalId"] as const satisfies ReadonlyArray<keyof Portfolio>

/** A portfolio with all its sites, oldest first. */
export class PortfolioWithSites extends Portfolio.extend<PortfolioWithSites>("@solar-sites/core/PortfolioWithSites")({
  sites: Schema.Array(Site)
}) {}

/** Names need not be unique. A null external id equals an absent one. */
export const CreatePortfolio = Schema.Struct({
  ...readOnlyMembers,
  name: Name,
  externalId: Schema.optionalKey(Schema.NullOr(ExternalId))
})
export type CreatePortfolio = typeof CreatePortfolio.Type

/** Input of a bulk creation: 1–100 portfolios with different external ids. */
export const CreatePortfolios = distinctArray(CreatePortfolio, {
  ...{ max: 100, noun: "portfolio" },
  distinct: differentExternalIds("portfolio")
})
export type CreatePortfolios = typeof CreatePortfolios.Type

/** An absent member keeps its value; null clears the external id. */
export const UpdatePortfolio = Schema.Struct({
  ...readOnlyMembers,
  name: Schema.optionalKey(Name),
  externalId: Schema.optionalKey(Schema.NullOr(ExternalId))
})
export type UpdatePortfolio = typeof UpdatePortfolio.Type

/** Sites to add or remove: 1–1,000 ids; duplicates count once. */
export const SiteIds = boundedArray(SiteId, { max: 1_000, noun: "id" })
export type SiteIds = typeof SiteIds.Type

/**
 * Query of a list of portfolios; all conditions must hold. `q` searches name and external id.
 * `updatedAfter` is exclusive.
 */
export const ListPortfolios = Schema.Struct({
  q: Schema.optionalKey(SearchText),
  externalId: Schema.optionalKey(ExternalId),
  updatedAfter: Schema.optionalKey(Timestamp),
  ...sorting(["createdAt", "updatedAt", "name"]),
  ...paging("portfolios", maximumPageSize)
})
export type ListPortfolios = typeof ListPortfolios.Type

/** Orders of a list of portfolios. */
export type PortfolioSort = NonNullable<ListPortfolios["sort"]>

/** Conditions of a list without paging. */
export type PortfolioConditions = ConditionsOf<ListPortfolios>

/** Pages of portfolios with all their sites have at most 100 portfolios. */
export const ListPortfoliosWithSites = Schema.Struct(paging("portfolios", 100))
export type ListPortfoliosWithSites = typeof ListPortfoliosWithSites.Type
