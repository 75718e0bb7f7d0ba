/**
 * Search and order of portfolios and documents.
 */

import {
  CalendarDate,
  type Document,
  type DocumentConditions,
  type DocumentSort,
  documentSortKeys,
  type Portfolio,
  type PortfolioSort,
  portfolioSortKeys
} from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { makeChoices } from "./CoverageSetup.ts"
import { currentDocument, type DocumentPorts, insertDocumentIn } from "./DocumentSetup.ts"
import { aName, aSearch, aSorting, expectSorted, folded, hasWords, inOrder } from "./FindingModel.ts"
import { documentMethods, portfolioMethods } from "./Methods.ts"
import { insertOrganisation, insertPortfolio, insertSite, type RecordPorts, secondsBefore } from "./Setup.ts"

const portfolioValues = {
  createdAt: () => null,
  updatedAt: ({ updatedAt }: Portfolio) => updatedAt.epochMilliseconds,
  name: ({ name }: Portfolio) => folded(name)
}

const randomPortfolios = Effect.fnUntraced(function* (seed: number) {
  const { list } = yield* portfolioMethods
  const choices = makeChoices(seed)
  const { below, of } = choices
  const organisationId = yield* insertOrganisation()
  const portfolios: Array<Portfolio> = []
  for (let count = 12; count > 0; count--) {
    const members = { name: aName(choices), updatedAt: secondsBefore(below(4)) }
    portfolios.push(yield* insertPortfolio(organisationId, members))
  }
  for (let round = 0; round < 15; round++) {
    const conditions = {
      ...(of(true, false) ? { q: aSearch(choices) } : {}),
      ...(of(true, false) ? { updatedAfter: secondsBefore(below(4)) } : {})
    }
    const matching = portfolios.filter(
      ({ name, updatedAt }) =>
        hasWords(conditions.q, name) && updatedAt.epochMilliseconds > (conditions.updatedAfter?.epochMilliseconds ?? 0)
    )
    const sorting = aSorting<PortfolioSort>(choices, "createdAt", "updatedAt", "name")
    yield* expectSorted(
      (page) => list(organisationId, conditions, page),
      sorting,
      portfolioSortKeys,
      inOrder(matching, sorting, portfolioValues),
      1 + below(6),
      `seed ${seed}, ${JSON.stringify(conditions)}`
    )
  }
})

export const portfolioFindingCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [1, 2].map((seed) => ({
  name: `finds and sorts portfolios as the model does (random records ${seed})`,
  check: randomPortfolios(seed)
}))

const documentValues = {
  createdAt: () => null,
  updatedAt: ({ updatedAt }: Document) => updatedAt.epochMilliseconds,
  filename: ({ filename }: Document) => folded(filename),
  validUntil: ({ validUntil }: Document) => validUntil
}

const days = ["2026-01-31", "2026-02-01", "2027-01-01"].map((day) => CalendarDate.make(day))

const randomDocuments = Effect.fnUntraced(function* (seed: number) {
  const { list } = yield* documentMethods
  const choices = makeChoices(seed)
  const { below, of } = choices
  const organisationId = yield* insertOrganisation()
  const { id: portfolioId } = yield* insertPortfolio(organisationId)
  const places = [yield* insertSite(organisationId), yield* insertSite(organisationId, { portfolioId })] as const
  const documents: Array<Document> = []
  for (let count = 12; count > 0; count--) {
    const inserted = yield* insertDocumentIn(of(...places), of("pending", "uploaded", "failed"), {
      // Names of files are stored as sent.
      filename: aName(choices).normalize(of("NFC", "NFD")),
      note: of(null, aName(choices)),
      validUntil: of(null, ...days),
      updatedAt: secondsBefore(below(4)),
      documentType: of(null, "ppa")
    })
    documents.push((yield* currentDocument(inserted)) ?? inserted)
  }
  for (let round = 0; round < 20; round++) {
    const conditions: DocumentConditions = {
      ...(of(true, false) ? { q: aSearch(choices) } : {}),
      ...(below(3) === 0 ? { updatedAfter: secondsBefore(below(4)) } : {}),
      ...(below(3) === 0 ? { validUntilBefore: of(CalendarDate.make("2026-02-01"), ...days) } : {}),
      ...(below(3) === 0 ? { portfolioId } : {}),
      ...(below(3) === 0 ? { siteId: of(...places).id } : {}),
      ...(below(3) === 0 ? { current: of(true, false) } : {}),
      ...(below(3) === 0 ? { documentType: "ppa" as const } : {})
    }
    const { current, documentType, q, siteId, updatedAfter, validUntilBefore } = conditions
    const matching = documents.filter(
      (document) =>
        hasWords(q, document.filename, document.note) &&
        document.updatedAt.epochMilliseconds > (updatedAfter?.epochMilliseconds ?? 0) &&
        (validUntilBefore === undefined || (document.validUntil ?? "9") < validUntilBefore) &&
        (conditions.portfolioId === undefined || document.siteId === places[1].id) &&
        document.siteId === (siteId ?? document.siteId) &&
        (current === undefined || (document.status === "uploaded") === current) &&
        document.documentType === (documentType ?? document.documentType)
    )
    const sorting = aSorting<DocumentSort>(choices, "createdAt", "updatedAt", "filename", "validUntil")
    yield* expectSorted(
      (page) => list(organisationId, conditions, page),
      sorting,
      documentSortKeys,
      inOrder(matching, sorting, documentValues),
      1 + below(6),
      `seed ${seed}, ${JSON.stringify(conditions)}`
    )
  }
})

const sortedByValidity = Effect.gen(function* () {
  const { list } = yield* documentMethods
  const organisationId = yield* insertOrganisation()
  const site = yield* insertSite(organisationId)
  const [early, late] = [CalendarDate.make("2026-01-31"), CalendarDate.make("2027-01-01")]
  const [a, b, c, d, e] = yield* Effect.forEach([null, late, early, null, early], (validUntil) =>
    insertDocumentIn(site, "uploaded", { validUntil })
  )
  assert.ok(a && b && c && d && e, "there are five")
  const ascending = [c, e, b, a, d]
  for (const order of ["asc", "desc"] as const) {
    for (const limit of [1, 2, 3, 10]) {
      yield* expectSorted(
        (page) => list(organisationId, {}, page),
        { by: "validUntil", order },
        documentSortKeys,
        order === "asc" ? ascending : ascending.toReversed(),
        limit,
        "five documents"
      )
    }
  }
})

export const documentFindingCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "sorts documents without a value last, and all of them the other way round in desc",
    check: sortedByValidity
  },
  ...[1, 2, 3].map((seed) => ({
    name: `finds and sorts documents as the model does (random records ${seed})`,
    check: randomDocuments(seed)
  }))
]
