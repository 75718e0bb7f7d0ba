import type { Site, SiteSave } from "@solar-sites/core"
import { aPortfolio, aSite } from "@solar-sites/testing"
import { expect, it } from "vitest"
import { foundOf, keyOf } from "../../src/records/Found.ts"
import { siteKind } from "../../src/sites/SiteKind.ts"
import { findsOfSaves, type SiteSaves, saveMany } from "../../src/sites/SiteSaving.ts"
import { load, storeOf } from "../documents/recordStore.ts"
import { at, decided, organisationId, origin, written } from "../documents/rules.ts"

const portfolio = aPortfolio({ organisationId })
const taken = aSite({ organisationId, externalId: "A-1" as never })

const save = (saves: ReadonlyArray<SiteSave>, given: Partial<SiteSaves> = {}, organisation = organisationId) => {
  const all = { reach: organisationId, saves, at, dryRun: false, maximumBytes: 1_000, ...given }
  const store = storeOf({ organisation: [{ id: organisation }], portfolio: [portfolio], site: [taken] })
  return decided(saveMany(all, origin)(load(store, findsOfSaves(all))))
}
const asNew = (members: Partial<Site> = {}): SiteSave => ({
  site: aSite({ organisationId, ...members }),
  changes: null
})
const change = (members: object, site: Site | null = null): SiteSave => ({
  site,
  changes: { externalId: "A-1", ...members }
})

it("stores new sites and changes the one with the external id", () => {
  const [created, updated] = [asNew({ portfolioId: portfolio.id }), change({ siteName: "Other" })]
  const { answer, change: made } = save([created, updated])
  expect(answer.saved.map(({ result }) => result)).toEqual(["created", "updated"])
  expect(made && written(made).map(([kind, id]) => [kind, id])).toEqual([
    ["site", created.site?.id],
    ["site", taken.id]
  ])
  expect(made?.events.map(({ type }) => type)).toEqual(["site.created", "site.updated"])
})

it("changes nothing for equal values, a stored id, and a dry run", () => {
  const equal = save([change({ siteName: taken.siteName })])
  expect([equal.answer.saved[0]?.result, equal.change]).toEqual(["unchanged", null])
  const repeated = save([{ site: taken, changes: null }])
  expect([repeated.answer.saved, repeated.change]).toEqual([[{ result: "created", site: taken }], null])
  const dry = save([asNew()], { dryRun: true })
  expect([dry.answer.saved[0]?.result, dry.change]).toEqual(["created", null])
})

it("stores nothing for a site that it created before, and that is out of reach since", () => {
  const created = aSite({ organisationId, portfolioId: portfolio.id })
  const reach = { organisationId, portfolioIds: [portfolio.id] }
  const all = { reach, saves: [{ site: created, changes: null }], at, dryRun: false, maximumBytes: 1_000 }
  const { answers } = load(
    storeOf({ organisation: [{ id: organisationId }], portfolio: [portfolio] }),
    findsOfSaves(all)
  )
  const hidden = new Set([keyOf(siteKind, "id", created.id)])
  const { answer, change: made } = decided(saveMany(all, origin)(foundOf(answers, { hidden })))
  expect([answer.saved, made]).toEqual([[{ result: "created", site: created }], null])
})

it("names all that stands against the saves, and then stores none", () => {
  const unknown = aPortfolio().id
  const { answer, change: made } = save([
    asNew(),
    { site: null, changes: { externalId: "A-2", portfolioId: unknown } },
    asNew({ portfolioId: unknown }),
    asNew({ externalId: "A-1" as never })
  ])
  expect(made).toBeNull()
  expect(answer).toEqual({
    organisationFound: true,
    unplaced: [],
    incomplete: [1],
    missing: [unknown, unknown],
    taken: [{ externalId: "A-1", takenBy: taken.id }],
    areTooLarge: false,
    saved: []
  })
  expect(save([asNew()], {}, aSite().id as never).answer.organisationFound).toBe(false)
  expect(save([change({ attributes: {} })], { maximumBytes: 1 }).answer.areTooLarge).toBe(true)
})
