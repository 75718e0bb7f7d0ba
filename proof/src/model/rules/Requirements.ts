/**
 * Rules of requirements and coverage (specification, section 11).
 */
import { isDeepStrictEqual } from "node:util"
import { CoverageState, ListCoverage, ReplaceRequirements, SummariseCoverage } from "@solar-sites/core/model"
import { emit, etag, isStale, ok, type Rule, refused, stale, type Turn } from "../Call.ts"
import { asked, given } from "../Input.ts"
import { hasValues, listRule } from "../List.ts"
import { type Document, inOrder, type Organisation, type Requirement, type Site } from "../ModelState.ts"
import { isCurrent } from "./DocumentRecords.ts"

const json = ({ requirements: { entries, version } }: Organisation) => ({ requirements: entries, version })

export const setRequirements = (turn: Turn, entries: Array<Requirement>): void => {
  const { organisation } = turn
  const { requirements } = organisation
  organisation.requirements = { version: requirements.version + 1, entries }
  const changes = { requirements: { from: requirements.entries, to: entries } }
  emit(turn, "requirements.updated", { type: "requirements", id: organisation.id, name: null }, null, changes)
}

/** Requirements of the portfolio, and those of all sites for the other types. */
const applying = (
  { requirements: { entries } }: Organisation,
  portfolioId: string | null
): ReadonlyArray<Requirement> =>
  entries.filter((one) =>
    one.portfolioId === null
      ? !entries.some(
          (other) =>
            other.portfolioId !== null && other.portfolioId === portfolioId && other.documentType === one.documentType
        )
      : one.portfolioId === portfolioId
  )

const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)

const ranks = ["valid", "expiring", "not_yet_valid", "expired", "missing"]

const stateOf = (
  { validFrom, validUntil }: Document,
  { expiringWithinDays, validityRequired }: Requirement,
  asOf: string
) => {
  if (validUntil === null && validityRequired) return "missing"
  if (validUntil !== null && validUntil < asOf) return "expired"
  if (validFrom !== null && validFrom > asOf) return "not_yet_valid"
  return validUntil !== null && validUntil <= daysAfter(asOf, expiringWithinDays) ? "expiring" : "valid"
}

const better = (a: Document, b: Document): number => {
  const [left, right] = [a.validUntil ?? "never", b.validUntil ?? "never"]
  if (left !== right) return left > right ? -1 : 1
  return a.id > b.id ? -1 : 1
}

const itemOf = (documents: ReadonlyArray<Document>, requirement: Requirement, asOf: string) => {
  const { documentType } = requirement
  const ofType = documents.filter((document) => document.documentType === documentType)
  const rank = (document: Document) => ranks.indexOf(stateOf(document, requirement, asOf))
  const [best] = ofType.filter(isCurrent).toSorted((a, b) => rank(a) - rank(b) || better(a, b))
  if (best !== undefined) {
    return { documentType, state: stateOf(best, requirement, asOf), documentId: best.id, validUntil: best.validUntil }
  }
  const [pending] = ofType.filter(({ status }) => status === "pending").toSorted(better)
  if (pending === undefined) return { documentType, state: "missing", documentId: null, validUntil: null }
  return { documentType, state: "pending", documentId: pending.id, validUntil: pending.validUntil }
}

const coverageOf = (organisation: Organisation, { id, portfolioId, siteName }: Site, asOf: string) => {
  const documents = [...organisation.documents.values()].filter(({ siteId }) => siteId === id)
  const items = applying(organisation, portfolioId).map((requirement) => itemOf(documents, requirement, asOf))
  const complete = items.every(({ state }) => state === "valid" || state === "expiring")
  return { siteId: id, siteName, portfolioId, complete, items }
}

const today = ({ at }: Turn): string => new Date(at["@to"]).toISOString().slice(0, 10)

export const requirementRules: Readonly<Record<string, Rule>> = {
  getDocumentRequirements: ({ organisation }) => ok(200, json(organisation), etag(organisation.requirements)),
  replaceDocumentRequirements: (turn) =>
    given(ReplaceRequirements, turn.call, ({ requirements: given }) => {
      const { organisation } = turn
      const { requirements } = organisation
      const entries = [...(given ?? requirements.entries)]
      const isMissing = ({ portfolioId }: Requirement) =>
        portfolioId !== null && !organisation.portfolios.has(portfolioId)
      const missing = entries.flatMap((one, index) => (isMissing(one) ? [`/requirements/${index}/portfolioId`] : []))
      if (missing.length > 0) return refused(404, "portfolio_not_found", missing)
      if (isStale(turn, requirements)) return stale
      if (!isDeepStrictEqual(entries, requirements.entries)) setRequirements(turn, entries)
      return ok(200, json(organisation), etag(organisation.requirements))
    }),
  listCoverage: listRule(ListCoverage, {
    items: (turn, { asOf = today(turn), documentType, portfolioId, siteId, state }) =>
      inOrder(turn.organisation.sites)
        .filter((site) => hasValues(site, { id: siteId, portfolioId }))
        .map((site) => ({ id: site.id, shown: coverageOf(turn.organisation, site, asOf) }))
        .filter(
          ({ shown: { items } }) =>
            (state === undefined && documentType === undefined) ||
            items.some((item) => hasValues(item, { state, documentType }))
        ),
    json: (_, { shown }) => shown
  }),
  summariseCoverage: (turn) =>
    asked(SummariseCoverage, turn.call, ({ asOf = today(turn), portfolioId }) => {
      const { organisation } = turn
      const sites = inOrder(organisation.sites)
        .filter((site) => hasValues(site, { portfolioId }))
        .map((site) => coverageOf(organisation, site, asOf))
      const entries =
        portfolioId === undefined ? organisation.requirements.entries : applying(organisation, portfolioId)
      const items = sites.flatMap((site) => site.items)
      const countOf = (documentType: string, state: string) =>
        items.filter((item) => hasValues(item, { documentType, state })).length
      return ok(200, {
        asOf,
        siteCount: sites.length,
        completeCount: sites.filter(({ complete }) => complete).length,
        documentTypes: [...new Set(entries.map(({ documentType }) => documentType))].map((documentType) => ({
          documentType,
          ...Object.fromEntries(CoverageState.literals.map((state) => [state, countOf(documentType, state)]))
        }))
      })
    })
}
