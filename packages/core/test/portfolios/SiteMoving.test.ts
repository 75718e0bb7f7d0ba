import { aPortfolio, aSite } from "@solar-sites/testing"
import { expect, it } from "vitest"
import type { SiteMove } from "../../src/portfolios/PortfolioRepository.ts"
import { findsOfMove, moveSites } from "../../src/portfolios/SiteMoving.ts"
import { load, storeOf } from "../documents/recordStore.ts"
import { at, decided, organisationId, origin, written } from "../documents/rules.ts"

const portfolio = aPortfolio({ organisationId })
const portfolioId = portfolio.id
const [first, second] = [aSite({ organisationId }), aSite({ organisationId })]
const inside = aSite({ organisationId, portfolioId })

const move = (given: Partial<SiteMove>, options = {}) => {
  const all: SiteMove = { portfolioId, siteIds: [second.id, inside.id, first.id], direction: "into", ...given }
  const store = storeOf({ portfolio: [portfolio], site: [first, second, inside] })
  return decided(moveSites(all, { at, maximumBytes: 1_000, ...options }, origin)(load(store, findsOfMove(all))))
}

it("moves sites into the portfolio, answers them as asked for, and changes those that were elsewhere", () => {
  const { answer, change } = move({})
  expect(answer?.sites.map(({ id, portfolioId: now, version }) => [id, now, version])).toEqual([
    [second.id, portfolioId, 2],
    [inside.id, portfolioId, 1],
    [first.id, portfolioId, 2]
  ])
  expect(change?.events.map(({ subjectId }) => subjectId)).toEqual([first.id, second.id].sort())
  expect(change && written(change).map(([, id]) => id)).toEqual([first.id, second.id].sort())
})

it("moves sites out of the portfolio that are in it", () => {
  expect(move({ siteIds: [first.id, inside.id], direction: "outOf" })).toMatchObject({
    answer: { missing: [first.id], sites: [] },
    change: null
  })
  const { answer, change } = move({ siteIds: [inside.id], direction: "outOf" })
  expect([answer?.missing, answer?.sites]).toEqual([[], []])
  expect(change && written(change)[0]?.[2]).toMatchObject({ id: inside.id, portfolioId: null })
})

it("moves none where the portfolio is absent or changed, or where sites are absent or too large", () => {
  expect(move({ portfolioId: aPortfolio().id })).toEqual({ answer: null, change: null })
  const absent = aSite().id
  expect(move({ siteIds: [first.id, absent] })).toMatchObject({ answer: { missing: [absent] }, change: null })
  expect(move({}, { maximumBytes: 1 })).toMatchObject({ answer: { areTooLarge: true }, change: null })
  expect(move({}, { expectedVersions: [7] })).toMatchObject({ answer: { isExpected: false, version: 1 }, change: null })
})
