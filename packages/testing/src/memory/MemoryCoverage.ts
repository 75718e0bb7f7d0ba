/**
 * Coverage of the sites of an organisation in memory.
 */
import type {
  CalendarDate,
  CoverageConditions,
  CoverageItem,
  CoveragePage,
  CoverageState,
  CoverageSummary,
  Document,
  DocumentRequirement,
  PageRequest,
  PortfolioId,
  Site,
  SiteCoverage,
  SiteId
} from "@solar-sites/core"
import { byId, type Owned, takePage } from "./MemoryDatabase.ts"
import { requirementsOf } from "./MemoryRequirements.ts"

/** In the order in which documents count. */
const states: ReadonlyArray<CoverageState> = ["valid", "expiring", "not_yet_valid", "expired", "missing", "pending"]

/** Days since 1970. */
const dayOf = (date: CalendarDate): number => Date.parse(date) / 86_400_000

const isCounting = ({ replacedBy, status }: Document): boolean => replacedBy === null && status !== "failed"

const stateOf = (document: Document, requirement: DocumentRequirement, asOf: CalendarDate): CoverageState => {
  if (document.status === "pending") return "pending"
  const until = document.validUntil === null ? Number.POSITIVE_INFINITY : dayOf(document.validUntil)
  const left = until - dayOf(asOf)
  if (requirement.validityRequired && document.validUntil === null) return "missing"
  if (left < 0) return "expired"
  if (document.validFrom !== null && dayOf(document.validFrom) > dayOf(asOf)) return "not_yet_valid"
  return left <= requirement.expiringWithinDays ? "expiring" : "valid"
}

/** Requirements of the sites of a portfolio, in their order. Its own count before those of all sites. */
const requirementsIn = (owned: Owned, portfolioId: PortfolioId | null): ReadonlyArray<DocumentRequirement> => {
  const { requirements } = requirementsOf(owned)
  const own = new Set(
    requirements.flatMap((one) => (one.portfolioId !== null && one.portfolioId === portfolioId ? one.documentType : []))
  )
  return requirements.filter((one) =>
    one.portfolioId === null ? !own.has(one.documentType) : one.portfolioId === portfolioId
  )
}

const untilOf = ({ validUntil }: Document): number =>
  validUntil === null ? Number.POSITIVE_INFINITY : dayOf(validUntil)

const itemOf = (
  documents: ReadonlyArray<Document>,
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

const coverageOf = (owned: Owned, { id, portfolioId, siteName }: Site, asOf: CalendarDate): SiteCoverage => {
  const documents = [...owned.documents.values()]
    .map(({ document }) => document)
    .filter((document) => document.siteId === id && isCounting(document))
  const items = requirementsIn(owned, portfolioId).map((requirement) => itemOf(documents, requirement, asOf))
  const complete = items.every(({ state }) => state === "valid" || state === "expiring")
  return { siteId: id, siteName, portfolioId, complete, items }
}

/** `RequirementRepository.listCoverage`. */
export const listCoverage = (
  owned: Owned,
  { asOf, documentType, portfolioId, siteId, state }: CoverageConditions,
  { after, limit }: PageRequest<SiteId>
): CoveragePage => {
  const isMatching = ({ items }: SiteCoverage) =>
    (state === undefined && documentType === undefined) ||
    items.some(
      (item) => item.state === (state ?? item.state) && item.documentType === (documentType ?? item.documentType)
    )
  const found = [...owned.sites.values()]
    .filter(({ id }) => (siteId === undefined || id === siteId) && (after === null || id > after))
    .filter((site) => portfolioId === undefined || site.portfolioId === portfolioId)
    .sort(byId)
    .map((site) => coverageOf(owned, site, asOf))
    .filter(isMatching)
  const { hasMore, items } = takePage(found, limit)
  return { items, next: hasMore ? (items.at(-1)?.siteId ?? null) : null }
}

/** `RequirementRepository.summariseCoverage`. */
export const summariseCoverage = (
  owned: Owned,
  { asOf, portfolioId }: Pick<CoverageConditions, "asOf" | "portfolioId">
): Omit<CoverageSummary, "asOf"> => {
  const everywhere = portfolioId === undefined
  const sites = [...owned.sites.values()].filter((site) => everywhere || site.portfolioId === portfolioId)
  const covered = sites.map((site) => coverageOf(owned, site, asOf))
  const applying = everywhere ? requirementsOf(owned).requirements : requirementsIn(owned, portfolioId)
  const types = [...new Set(applying.map(({ documentType }) => documentType))]
  const items = covered.flatMap((site) => site.items)
  return {
    siteCount: sites.length,
    completeCount: covered.filter(({ complete }) => complete).length,
    documentTypes: types.map((documentType) => {
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
