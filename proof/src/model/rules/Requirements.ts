/**
 * Rules of requirements and coverage (specification, section 11).
 */
import {
  type Expected,
  emit,
  etag,
  invalid,
  isStale,
  ok,
  type Rule,
  refused,
  stale,
  type Turn,
  uuidIn
} from "../Call.ts"
import { listRule, paging, uuids } from "../List.ts"
import { day, flag, isRecord, type Members, number, oneOf, read, readQuery } from "../Members.ts"
import { type Document, inOrder, type Organisation, type Requirement, type Site } from "../ModelState.ts"
import { isCurrent } from "./DocumentRecords.ts"
import { documentTypes } from "./DocumentUploads.ts"

const entry: Members = {
  documentType: oneOf(documentTypes, { required: true }),
  validityRequired: flag,
  portfolioId: { holds: (value) => uuidIn(value) !== undefined, form: uuidIn },
  expiringWithinDays: number((value) => Number.isInteger(value) && value >= 1 && value <= 365)
}

const json = ({ requirements: { entries, version } }: Organisation) => ({ requirements: entries, version })

export const setRequirements = (turn: Turn, entries: Array<Requirement>): void => {
  const { organisation } = turn
  const { requirements } = organisation
  organisation.requirements = { version: requirements.version + 1, entries }
  const changes = { requirements: { from: requirements.entries, to: entries } }
  emit(turn, "requirements.updated", { type: "requirements", id: organisation.id, name: null }, null, changes)
}

const replaceDocumentRequirements: Rule = (turn) => {
  const { call, organisation } = turn
  const { body } = call
  if (!isRecord(body)) return invalid([""])
  const unknown = Object.keys(body).filter((key) => key !== "requirements" && key !== "version")
  const given: unknown = body["requirements"]
  if (!Array.isArray(given) || given.length > 200) return invalid(["/requirements", ...unknown.map((key) => `/${key}`)])
  const reads = given.map((one: unknown, index) => read(entry, [], one, "create", `/requirements/${index}`))
  const faults = [...unknown.map((key) => `/${key}`), ...reads.flatMap(({ pointers }) => pointers)]
  const entries = reads.map(
    ({ values }): Requirement => ({
      ...{ documentType: "", validityRequired: false, portfolioId: null, expiringWithinDays: 30 },
      ...values
    })
  )
  // An entry with a fault in its type or portfolio equals no other.
  const keys = entries.map(({ documentType, portfolioId }, index) =>
    reads[index]?.pointers.some((pointer) => /^\/requirements\/\d+(\/documentType|\/portfolioId)?$/.test(pointer))
      ? `${index}`
      : `${documentType} ${portfolioId}`
  )
  const repeated = keys.flatMap((key, index) => (keys.indexOf(key) < index ? [`/requirements/${index}`] : []))
  if (faults.length + repeated.length > 0) return invalid([...faults, ...repeated])
  const isMissing = ({ portfolioId }: Requirement) => portfolioId !== null && !organisation.portfolios.has(portfolioId)
  const missing = entries.flatMap((one, index) => (isMissing(one) ? [`/requirements/${index}/portfolioId`] : []))
  if (missing.length > 0) return refused(404, "portfolio_not_found", missing)
  const { requirements } = organisation
  if (isStale(turn, requirements)) return stale
  if (JSON.stringify(entries) !== JSON.stringify(requirements.entries)) setRequirements(turn, entries)
  return ok(200, json(organisation), etag(organisation.requirements))
}

/** Those of the portfolio, and those of all sites for the other types. */
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

const states = ["missing", "pending", "valid", "expiring", "expired", "not_yet_valid"]

const today = ({ at }: Turn): string => new Date(at["@to"]).toISOString().slice(0, 10)

const listCoverage: Rule = listRule<{ readonly id: string; readonly shown: ReturnType<typeof coverageOf> }>(
  {
    ...uuids("portfolioId", "siteId"),
    ...{ state: oneOf(states), documentType: oneOf(documentTypes), asOf: day },
    ...paging()
  },
  (turn, { asOf = today(turn), documentType, portfolioId, siteId, state }) => ({
    items: inOrder(turn.organisation.sites)
      .filter(
        (site) =>
          (siteId === undefined || site.id === siteId) &&
          (portfolioId === undefined || site.portfolioId === portfolioId)
      )
      .map((site) => ({ id: site.id, shown: coverageOf(turn.organisation, site, asOf) }))
      .filter(
        ({ shown }) =>
          (state === undefined && documentType === undefined) ||
          shown.items.some(
            (item) =>
              (state === undefined || item.state === state) &&
              (documentType === undefined || item.documentType === documentType)
          )
      ),
    json: ({ shown }) => shown
  })
)

const summariseCoverage: Rule = (turn): Expected => {
  const { organisation } = turn
  const { pointers, values } = readQuery({ ...uuids("portfolioId"), asOf: day }, turn.call.query)
  if (pointers.length > 0) return invalid(pointers)
  const { asOf = today(turn), portfolioId } = values
  const sites = inOrder(organisation.sites)
    .filter((site) => portfolioId === undefined || site.portfolioId === portfolioId)
    .map((site) => coverageOf(organisation, site, asOf))
  const entries = portfolioId === undefined ? organisation.requirements.entries : applying(organisation, portfolioId)
  const documentTypesInOrder = [...new Set(entries.map(({ documentType }) => documentType))]
  const items = sites.flatMap((site) => site.items)
  return ok(200, {
    asOf,
    siteCount: sites.length,
    completeCount: sites.filter(({ complete }) => complete).length,
    documentTypes: documentTypesInOrder.map((documentType) => ({
      documentType,
      ...Object.fromEntries(
        states.map((state) => [
          state,
          items.filter((item) => item.documentType === documentType && item.state === state).length
        ])
      )
    }))
  })
}

export const requirementRules: Readonly<Record<string, Rule>> = {
  getDocumentRequirements: ({ organisation }) => ok(200, json(organisation), etag(organisation.requirements)),
  replaceDocumentRequirements,
  listCoverage,
  summariseCoverage
}
