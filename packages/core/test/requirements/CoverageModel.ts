/**
 * A model of coverage by its definition (specification, section 11), written without the functions of core.
 */
import {
  CalendarDate,
  type CoverageItem,
  type CoverageState,
  type CoverageSummary,
  type Document,
  type DocumentRequirement,
  type Site,
  type SiteCoverage
} from "@solar-sites/core"
import { DateTime } from "effect"

/** The day so many days later. */
export const addDays = (day: CalendarDate, days: number): CalendarDate =>
  CalendarDate.make(DateTime.formatIsoDateUtc(DateTime.add(DateTime.makeUnsafe(day), { days })))

interface Question {
  readonly requirement: DocumentRequirement
  readonly asOf: CalendarDate
}

type Condition = (document: Document, question: Question) => boolean

const ended: Condition = ({ validUntil }, { asOf }) => validUntil !== null && validUntil < asOf
const notBegun: Condition = ({ validFrom }, { asOf }) => validFrom !== null && validFrom > asOf
const undated: Condition = ({ validUntil }, { requirement }) => requirement.validityRequired && validUntil === null
const endsSoon: Condition = ({ validUntil }, { asOf, requirement }) =>
  validUntil !== null && validUntil <= addDays(asOf, requirement.expiringWithinDays)

/** In the order in which documents count. The conditions exclude each other. */
const conditions: ReadonlyArray<readonly [CoverageState, Condition]> = [
  ["valid", (...of) => !undated(...of) && !ended(...of) && !notBegun(...of) && !endsSoon(...of)],
  ["expiring", (...of) => !ended(...of) && !notBegun(...of) && endsSoon(...of)],
  ["not_yet_valid", (...of) => !undated(...of) && notBegun(...of)],
  ["expired", (...of) => ended(...of)],
  ["missing", (...of) => undated(...of)]
]

const latest = (documents: ReadonlyArray<Document>): Document | undefined => {
  // Text sorts after all days.
  const ends = documents.map(({ validUntil }) => validUntil ?? "never")
  const last = ends.toSorted().at(-1)
  const ids = documents.filter((_, index) => ends[index] === last).map(({ id }) => id)
  return documents.find(({ id }) => id === ids.toSorted().at(-1))
}

const itemOf = (documents: ReadonlyArray<Document>, question: Question): CoverageItem => {
  const { documentType } = question.requirement
  const ofType = documents.filter((document) => document.documentType === documentType)
  const current = ofType.filter(
    ({ replacedBy, status }) => ["uploaded", "approved", "completed"].includes(status) && replacedBy === null
  )
  for (const [state, holds] of conditions) {
    const found = latest(current.filter((document) => holds(document, question)))
    if (found !== undefined) return { documentType, state, documentId: found.id, validUntil: found.validUntil }
  }
  const pending = latest(ofType.filter(({ replacedBy, status }) => status === "pending" && replacedBy === null))
  if (pending === undefined) return { documentType, state: "missing", documentId: null, validUntil: null }
  return { documentType, state: "pending", documentId: pending.id, validUntil: pending.validUntil }
}

export interface Records {
  /** In ascending order of id. */
  readonly sites: ReadonlyArray<Site>
  readonly documents: ReadonlyArray<Document>
  readonly requirements: ReadonlyArray<DocumentRequirement>
}

/** The requirements of a portfolio; those of all sites where it has none for a type. */
const requirementsOf = (requirements: Records["requirements"], portfolioId: Site["portfolioId"]) =>
  requirements.filter((requirement) => {
    if (requirement.portfolioId !== null) return requirement.portfolioId === portfolioId
    const { documentType } = requirement
    const isOwn = (other: DocumentRequirement) =>
      other.documentType === documentType && other.portfolioId !== null && other.portfolioId === portfolioId
    return !requirements.some(isOwn)
  })

/** The coverage of all sites. */
export const modelCoverage = (
  { documents, requirements, sites }: Records,
  asOf: CalendarDate
): ReadonlyArray<SiteCoverage> =>
  sites.map(({ id, portfolioId, siteName }) => {
    const own = documents.filter(({ siteId }) => siteId === id)
    const items = requirementsOf(requirements, portfolioId).map((requirement) => itemOf(own, { requirement, asOf }))
    const complete = !items.some(({ state }) => state !== "valid" && state !== "expiring")
    return { siteId: id, siteName, portfolioId, complete, items }
  })

/** The numbers of the sites, all or those of a portfolio. */
export const modelSummary = (
  records: Records,
  asOf: CalendarDate,
  portfolioId?: Site["portfolioId"]
): Omit<CoverageSummary, "asOf"> => {
  const all = modelCoverage(records, asOf)
  const sites = portfolioId === undefined ? all : all.filter((site) => site.portfolioId === portfolioId)
  const { requirements } = records
  const applying = portfolioId === undefined ? requirements : requirementsOf(requirements, portfolioId)
  const types = applying.map(({ documentType }) => documentType)
  return {
    siteCount: sites.length,
    completeCount: sites.filter(({ complete }) => complete).length,
    documentTypes: types
      .filter((documentType, index) => types.indexOf(documentType) === index)
      .map((documentType) => {
        const count = { missing: 0, pending: 0, valid: 0, expiring: 0, expired: 0, not_yet_valid: 0 }
        for (const { items } of sites) {
          for (const item of items) if (item.documentType === documentType) count[item.state] += 1
        }
        return { documentType, ...count }
      })
  }
}
