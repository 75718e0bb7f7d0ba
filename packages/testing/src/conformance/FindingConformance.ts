/**
 * Conditions, search and order of portfolios and documents, compared with the lists of core.
 */
import {
  CalendarDate,
  type DocumentConditions,
  type DocumentRecord,
  documentKind,
  documentSortKeys,
  ExternalId,
  OmRecordId,
  type Portfolio,
  type PortfolioConditions,
  pageOfDocuments,
  pageOfPortfolios,
  portfolioSortKeys
} from "@solar-sites/core"
import { Effect } from "effect"
import type { ConformanceCase } from "./Conformance.ts"
import { makeChoices } from "./CoverageSetup.ts"
import { type DocumentPorts, insertDocumentIn, statuses } from "./DocumentSetup.ts"
import { type AllConditions, aName, aQuery, aSearch, expectPagesOf } from "./FindingModel.ts"
import { documentMethods, portfolioMethods } from "./Methods.ts"
import { find } from "./RecordsSetup.ts"
import { insertOrganisation, insertPortfolio, insertSite, type RecordPorts, secondsBefore } from "./Setup.ts"

const unbounded = Number.POSITIVE_INFINITY

const randomPortfolios = Effect.fnUntraced(function* (seed: number) {
  const { list } = yield* portfolioMethods
  const choices = makeChoices(seed)
  const { below, of } = choices
  const organisationId = yield* insertOrganisation()
  const portfolios: Array<Portfolio> = []
  for (let count = 12; count > 0; count--) {
    const externalId = of(null, ExternalId.make(`${aName(choices)} ${count}`))
    const members = { name: aName(choices), updatedAt: secondsBefore(below(4)), externalId }
    portfolios.push(yield* insertPortfolio(organisationId, members))
  }
  for (let round = 0; round < 25; round++) {
    const all: AllConditions<PortfolioConditions> = {
      q: aSearch(choices),
      updatedAfter: secondsBefore(below(4)),
      externalId: portfolios[below(12)]?.externalId ?? ExternalId.make("none")
    }
    const query = aQuery(choices, round, all, ["createdAt", "updatedAt", "name"])
    yield* expectPagesOf(
      (page) => list(organisationId, query.conditions, page),
      (page) => pageOfPortfolios(portfolios, query.conditions, page, unbounded),
      portfolioSortKeys,
      query
    )
  }
})

export const portfolioFindingCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [1, 2].map((seed) => ({
  name: `finds and sorts portfolios as core does (random records ${seed})`,
  check: randomPortfolios(seed)
}))

const days = ["2026-01-31", "2026-02-01", "2027-01-01"].map((day) => CalendarDate.make(day))
const omRecords = [OmRecordId.make("om-1"), OmRecordId.make("om-2")] as const

const randomDocuments = Effect.fnUntraced(function* (seed: number) {
  const { list } = yield* documentMethods
  const choices = makeChoices(seed)
  const { below, of } = choices
  const organisationId = yield* insertOrganisation()
  const { id: portfolioId } = yield* insertPortfolio(organisationId)
  const { id: otherId } = yield* insertPortfolio(organisationId)
  const places = [
    yield* insertSite(organisationId),
    yield* insertSite(organisationId, { portfolioId }),
    yield* insertSite(organisationId, { portfolioId: otherId })
  ] as const
  const ids: Array<string> = []
  for (let count = 16; count > 0; count--) {
    const { id } = yield* insertDocumentIn(of(...places), of("uploaded", ...statuses), {
      // Names of files are stored as sent.
      filename: aName(choices).normalize(of("NFC", "NFD")),
      note: of(null, aName(choices)),
      validUntil: of(null, ...days),
      updatedAt: secondsBefore(below(4)),
      type: of("documents", "om-documents"),
      documentType: of(null, "ppa", "epc"),
      omRecordId: of(null, ...omRecords)
    })
    ids.push(id)
  }
  // Records of the kind.
  const documents = (yield* find(organisationId, documentKind, ids)).map(({ record }) => record as DocumentRecord)
  const portfolioOf = (siteId: string) => places.find(({ id }) => id === siteId)?.portfolioId ?? null
  for (let round = 0; round < 40; round++) {
    const all: AllConditions<DocumentConditions> = {
      q: aSearch(choices),
      updatedAfter: secondsBefore(below(4)),
      validUntilBefore: of(CalendarDate.make("2026-02-01"), ...days),
      portfolioId: of(portfolioId, otherId),
      siteId: of(...places).id,
      current: of(true, false),
      status: of("uploaded", ...statuses),
      type: of("documents", "om-documents"),
      documentType: of("ppa", "epc"),
      omRecordId: of(...omRecords)
    }
    const query = aQuery(choices, round, all, ["createdAt", "updatedAt", "filename", "validUntil"])
    yield* expectPagesOf(
      (page) => list(organisationId, query.conditions, page),
      (page) => pageOfDocuments(documents, query.conditions, page, unbounded, portfolioOf),
      documentSortKeys,
      query
    )
  }
})

export const documentFindingCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [1, 2, 3].map((seed) => ({
  name: `finds and sorts documents as core does (random records ${seed})`,
  check: randomDocuments(seed)
}))
