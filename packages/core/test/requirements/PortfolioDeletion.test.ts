import { makeUnchecked, RequirementListRecord, requirementRecords } from "@solar-sites/core"
import { aPortfolio, aRequirement, aSite } from "@solar-sites/testing"
import { expect, it } from "vitest"
import { deletePortfolioWithRequirements, findsOfPortfolioDeletion } from "../../src/requirements/PortfolioDeletion.ts"
import { applied, load, storeOf } from "../documents/recordStore.ts"
import { at, decided, organisationId, origin } from "../documents/rules.ts"

const portfolio = aPortfolio({ organisationId })
const portfolioId = portfolio.id
const inside = aSite({ organisationId, portfolioId })
const list = makeUnchecked(RequirementListRecord, { id: organisationId, version: 3, updatedAt: at })
const own = aRequirement({ portfolioId })
const store = (requirements = [aRequirement(), own]) =>
  storeOf({
    portfolio: [portfolio],
    site: [inside, aSite({ organisationId })],
    requirement_list: [list],
    requirement: requirementRecords(organisationId, requirements)
  })
const remove = (stored = store(), given = {}) => {
  const deletion = { organisationId, portfolioId, at, ...given }
  return decided(deletePortfolioWithRequirements(deletion, origin)(load(stored, findsOfPortfolioDeletion(deletion))))
}

it("deletes the portfolio, its requirements, and the portfolio of its sites", () => {
  const stored = store()
  const { answer, change } = remove(stored)
  if (change === null) throw new Error("nothing was changed")
  const after = applied(stored, change)
  expect(answer).toEqual({ version: 1, isExpected: true })
  expect([...(after.get("portfolio")?.keys() ?? [])]).toEqual([])
  expect(after.get("site")?.get(inside.id)).toMatchObject({ portfolioId: null, version: 2 })
  expect([...(after.get("requirement")?.values() ?? [])]).toMatchObject([{ portfolioId: null }])
  expect(after.get("requirement_list")?.get(organisationId)).toMatchObject({ version: 4 })
  expect(change.events.map(({ type }) => type)).toEqual(["portfolio.deleted", "site.updated", "requirements.updated"])
})

it("leaves a list without requirements of the portfolio as it is", () => {
  const { change } = remove(store([aRequirement()]))
  expect(change?.events.map(({ type }) => type)).toEqual(["portfolio.deleted", "site.updated"])
})

it("deletes nothing of an absent portfolio or of another version", () => {
  expect(remove(store(), { portfolioId: aPortfolio().id })).toEqual({ answer: null, change: null })
  expect(remove(store(), { expectedVersions: [2] })).toEqual({
    answer: { version: 1, isExpected: false },
    change: null
  })
})
