import { describe, expect, it } from "@effect/vitest"
import {
  CalendarDate,
  CoverageState,
  coverageSummary,
  type DocumentRequirement,
  type DocumentStatus,
  type DocumentType,
  pageOfCoverage
} from "@solar-sites/core"
import { aDocument, aPortfolio, aRequirement, aSite } from "@solar-sites/testing"
import { addDays, modelCoverage, modelSummary } from "./CoverageModel.ts"

const today = CalendarDate.make("2026-11-22")
const types = ["insurance", "ppa", "epc"] as const satisfies ReadonlyArray<DocumentType>
const statuses = ["uploaded", "approved", "completed", "uploaded", "pending", "failed"] as const

/** The same choices in every run. */
const makeChoices = (seed: number) => {
  let state = Math.imul(seed, 2_654_435_761)
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const of = <A>(...options: readonly [A, ...Array<A>]): A => options[below(options.length)] ?? options[0]
  return { below, of }
}

/** Few types and near days make many documents compete for one item. */
const recordsOf = (seed: number) => {
  const { below, of } = makeChoices(seed)
  const portfolios = [aPortfolio().id, aPortfolio().id] as const
  const sites = Array.from({ length: 12 }, () => aSite({ portfolioId: of(null, ...portfolios) }))
  const documents = sites.flatMap(({ id: siteId }) =>
    Array.from({ length: below(10) }, () => {
      const validFrom = of(null, addDays(today, below(20) - 10))
      const validUntil = of(null, addDays(validFrom ?? today, below(12) - (validFrom === null ? 6 : 0)))
      return aDocument({
        siteId,
        documentType: of<DocumentType | null>(...types, null, "other"),
        status: of<DocumentStatus>(...statuses),
        validFrom,
        validUntil,
        replacedBy: of(null, null, null, null, aDocument().id)
      })
    })
  )
  const requirements = new Map<string, DocumentRequirement>()
  for (let count = 6 + below(7); count > 0; count--) {
    const [documentType, portfolioId] = [of(...types), of(null, null, ...portfolios)]
    const days = { validityRequired: of(true, false), expiringWithinDays: 1 + below(6) }
    requirements.set(`${documentType} ${portfolioId}`, aRequirement({ documentType, portfolioId, ...days }))
  }
  return { portfolios, records: { sites, documents, requirements: [...requirements.values()] } }
}

const days = Array.from({ length: 41 }, (_, index) => addDays(today, index - 20))

describe.each([1, 2, 3, 4, 5, 6])("the coverage of random records %i", (seed) => {
  const { portfolios, records } = recordsOf(seed)
  const [portfolioId] = portfolios

  it.each(days)("is that of the model on %s", (asOf) => {
    const expected = modelCoverage(records, asOf)
    const everything = { after: null, limit: 1_000 }
    expect(pageOfCoverage(records, { asOf }, everything)).toEqual({ items: expected, next: null })
    const after = records.sites[3]?.id ?? null
    const some = pageOfCoverage(records, { asOf, portfolioId }, { after, limit: 2 })
    const following = expected.filter((site) => site.portfolioId === portfolioId && site.siteId > (after ?? ""))
    expect(some.items).toEqual(following.slice(0, 2))
    expect(some.next).toBe(following.length > 2 ? following[1]?.siteId : null)
    for (const state of CoverageState.literals) {
      const has = (documentType: DocumentType) => (site: (typeof expected)[number]) =>
        site.items.some((item) => item.state === state && item.documentType === documentType)
      for (const documentType of types) {
        const found = pageOfCoverage(records, { asOf, state, documentType }, everything)
        expect(found.items).toEqual(expected.filter(has(documentType)))
      }
    }
    expect(coverageSummary(records, { asOf })).toEqual(modelSummary(records, asOf))
    expect(coverageSummary(records, { asOf, portfolioId })).toEqual(modelSummary(records, asOf, portfolioId))
  })
})
