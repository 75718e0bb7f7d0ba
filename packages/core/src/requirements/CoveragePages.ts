/**
 * The coverage of sites in memory, for adapters that read all sites and documents of an organisation.
 */

import type { PortfolioId } from "../caller/PortfolioId.ts"
import { isReached, type Reach, reachParts } from "../caller/Reach.ts"
import type { Document } from "../documents/Document.ts"
import type { CalendarDate } from "../input/CalendarDate.ts"
import { byId, takePage } from "../lists/ItemPages.ts"
import type { PageRequest } from "../lists/Page.ts"
import type { Site, SiteId } from "../sites/Site.ts"
import { type HealthOnDay, SiteHealth } from "../sites/SiteHealth.ts"
import type { DocumentRequirement } from "./Requirement.ts"
import type { CoverageConditions, CoveragePage } from "./RequirementRepository.ts"
import type { CoverageItem, CoverageState, CoverageSummary, SiteCoverage } from "./SiteCoverage.ts"

type Requirements = ReadonlyArray<DocumentRequirement>
type Counted = Pick<Document, "id" | "siteId" | "documentType" | "status" | "validFrom" | "validUntil" | "replacedBy">

/**
 * What coverage is computed from: all requirements in their order, the sites, and the documents of these sites.
 */
export interface CoverageSources {
  readonly requirements: Requirements
  readonly sites: Iterable<Site>
  readonly documents: Iterable<Counted>
}

/** The sources within a reach. Documents of other sites do not count. */
export const sourcesWithin = (reach: Reach, { documents, requirements, sites }: CoverageSources): CoverageSources => {
  const parts = reachParts(reach)
  return {
    requirements: requirements.filter(({ portfolioId }) => portfolioId === null || isReached(parts, portfolioId)),
    sites: [...sites].filter(({ portfolioId }) => isReached(parts, portfolioId)),
    documents
  }
}

/** States in the order in which documents count. */
const states: ReadonlyArray<CoverageState> = ["valid", "expiring", "not_yet_valid", "expired", "missing", "pending"]

/** Days since 1970. */
const dayOf = (date: CalendarDate): number => Date.parse(date) / 86_400_000

const untilOf = ({ validUntil }: Counted): number =>
  validUntil === null ? Number.POSITIVE_INFINITY : dayOf(validUntil)

/** State of a document for a requirement of its type. */
export const stateOf = (
  document: Counted,
  requirement: Pick<DocumentRequirement, "validityRequired" | "expiringWithinDays">,
  asOf: CalendarDate
): CoverageState => {
  if (document.status === "pending") return "pending"
  if (requirement.validityRequired && document.validUntil === null) return "missing"
  const left = untilOf(document) - dayOf(asOf)
  if (left < 0) return "expired"
  if (document.validFrom !== null && dayOf(document.validFrom) > dayOf(asOf)) return "not_yet_valid"
  return left <= requirement.expiringWithinDays ? "expiring" : "valid"
}

/** Requirements of the sites of a portfolio, in their order. Its own count before those of all sites. */
const requirementsIn = (requirements: Requirements, portfolioId: PortfolioId | null): Requirements => {
  const own = new Set(
    requirements.flatMap((one) => (one.portfolioId !== null && one.portfolioId === portfolioId ? one.documentType : []))
  )
  return requirements.filter((one) =>
    one.portfolioId === null ? !own.has(one.documentType) : one.portfolioId === portfolioId
  )
}

const itemOf = (
  documents: ReadonlyArray<Counted>,
  requirement: DocumentRequirement,
  asOf: CalendarDate
): CoverageItem => {
  const { documentType } = requirement
  const [best] = documents
    .filter((document) => document.documentType === documentType)
    .map((document) => ({ document, state: stateOf(document, requirement, asOf) }))
    .sort(
      (a, b) =>
        states.indexOf(a.state) - states.indexOf(b.state) ||
        // Two documents without a last day differ by NaN, which is falsy.
        untilOf(b.document) - untilOf(a.document) ||
        byId(b.document, a.document)
    )
  if (best === undefined) return { documentType, state: "missing", documentId: null, validUntil: null }
  const { id, validUntil } = best.document
  return { documentType, state: best.state, documentId: id, validUntil }
}

const coverageOf = ({ documents, requirements }: CoverageSources, asOf: CalendarDate) => {
  const counting = [...documents].filter(({ replacedBy, status }) => replacedBy === null && status !== "failed")
  const bySite = Map.groupBy(counting, ({ siteId }) => siteId)
  return ({ id, portfolioId, siteName }: Site): SiteCoverage => {
    const own = bySite.get(id) ?? []
    const items = requirementsIn(requirements, portfolioId).map((requirement) => itemOf(own, requirement, asOf))
    const complete = items.every(({ state }) => state === "valid" || state === "expiring")
    return { siteId: id, siteName, portfolioId, complete, items }
  }
}

const healthOfState: Record<CoverageState, SiteHealth> = {
  expired: "expired",
  missing: "missing",
  pending: "missing",
  not_yet_valid: "missing",
  expiring: "expiring",
  valid: "complete"
}

/** The most urgent health of these states of required documents. */
export const healthOfStates = (states: Iterable<CoverageState>): SiteHealth => {
  const found = new Set([...states].map((state) => healthOfState[state]))
  return SiteHealth.literals.find((health) => found.has(health)) ?? "complete"
}

/** The sites of a health: a condition of `SiteRepository.list`. */
export const sitesOfHealth = (sources: CoverageSources, { asOf, is }: HealthOnDay): ReadonlyArray<Site> => {
  const coverage = coverageOf(sources, asOf)
  return [...sources.sites].filter((site) => healthOfStates(coverage(site).items.map(({ state }) => state)) === is)
}

/** `RequirementRepository.listCoverage` over the given sources. */
export const pageOfCoverage = (
  sources: CoverageSources,
  { asOf, documentType, portfolioId, siteId, state }: CoverageConditions,
  { after, limit }: PageRequest<SiteId>
): CoveragePage => {
  const isMatching = ({ items }: SiteCoverage) =>
    (state === undefined && documentType === undefined) ||
    items.some(
      (item) => item.state === (state ?? item.state) && item.documentType === (documentType ?? item.documentType)
    )
  const found = [...sources.sites]
    .filter(({ id }) => (siteId === undefined || id === siteId) && (after === null || id > after))
    .filter((site) => portfolioId === undefined || site.portfolioId === portfolioId)
    .sort(byId)
    .map(coverageOf(sources, asOf))
    .filter(isMatching)
  const { hasMore, items } = takePage(found, limit)
  return { items, next: hasMore ? (items.at(-1)?.siteId ?? null) : null }
}

/** `RequirementRepository.summariseCoverage` over the given sources. */
export const coverageSummary = (
  sources: CoverageSources,
  { asOf, portfolioId }: Pick<CoverageConditions, "asOf" | "portfolioId">
): Omit<CoverageSummary, "asOf"> => {
  const sites = [...sources.sites].filter((site) => portfolioId === undefined || site.portfolioId === portfolioId)
  const covered = sites.map(coverageOf(sources, asOf))
  const { requirements } = sources
  const applying = portfolioId === undefined ? requirements : requirementsIn(requirements, portfolioId)
  const items = covered.flatMap((site) => site.items)
  return {
    siteCount: sites.length,
    completeCount: covered.filter(({ complete }) => complete).length,
    documentTypes: [...new Set(applying.map(({ documentType }) => documentType))].map((documentType) => {
      const count = (state: CoverageState) =>
        items.filter((item) => item.documentType === documentType && item.state === state).length
      return {
        documentType,
        missing: count("missing"),
        pending: count("pending"),
        valid: count("valid"),
        expiring: count("expiring"),
        expired: count("expired"),
        not_yet_valid: count("not_yet_valid")
      }
    })
  }
}
