import { describe, expect, it } from "@effect/vitest"
import { type Found, foundOf, type Portfolio, portfolioKind } from "@solar-sites/core"
import { aPortfolio } from "@solar-sites/testing"
import { Result } from "effect"
import {
  assumedForCreation,
  createPortfolios,
  findsOfCreation,
  findsOfUpdate,
  updatePortfolio
} from "../../src/portfolios/PortfolioRules.ts"
import { organisationReference } from "../../src/records/OrganisationReference.ts"
import { at, organisationId, origin, stored } from "../records/deciding.ts"

/** What a load finds. */
const found = (records: {
  readonly organisation?: false
  readonly byId?: ReadonlyArray<Portfolio>
  readonly byExternalId?: ReadonlyArray<Portfolio>
}): Found =>
  foundOf([
    {
      find: { kind: organisationReference, by: "id", values: [] },
      stored: records.organisation === false ? [] : [stored({ id: organisationId })]
    },
    { find: { kind: portfolioKind, by: "id", values: [] }, stored: (records.byId ?? []).map(stored) },
    { find: { kind: portfolioKind, by: "externalId", values: [] }, stored: (records.byExternalId ?? []).map(stored) }
  ])

const refusal = <E extends { readonly _tag: string }>(result: Result.Result<unknown, E>): E => {
  if (Result.isSuccess(result)) throw new Error("it was decided")
  return result.failure
}

const decided = <A>(result: Result.Result<A, unknown>): A => {
  if (Result.isFailure(result)) throw new Error("it was refused")
  return result.success
}

describe("createPortfolios", () => {
  const first = aPortfolio({ organisationId, externalId: "a" })
  const second = aPortfolio({ organisationId })
  const third = aPortfolio({ organisationId, externalId: "b" })
  const command = { organisationId, portfolios: [third, first, second] }
  const create = createPortfolios(command, origin)

  it("stores all portfolios with one event each, in order of id, and answers them in the order given", () => {
    const { answer, change } = decided(create(assumedForCreation(command)))
    expect(answer).toEqual(command.portfolios)
    expect(change?.writes).toEqual(
      [first, second, third].map((after) => ({ kind: portfolioKind, id: after.id, before: null, after }))
    )
    expect(change?.events).toMatchObject(
      [first, second, third].map(({ id, name }) => ({
        type: "portfolio.created",
        subjectId: id,
        siteId: null,
        changes: { name: { from: null, to: name } }
      }))
    )
  })

  it("refuses in the order organisation, external ids, and names all of these in the order given", () => {
    const [a, b] = [aPortfolio({ externalId: "a" }), aPortfolio({ externalId: "b" })]
    const both = { byExternalId: [a, b] }
    expect(refusal(create(found({ organisation: false, ...both })))).toMatchObject({ _tag: "OrganisationNotFound" })
    expect(refusal(create(found(both)))).toMatchObject({
      _tag: "ExternalIdTaken",
      conflicts: [
        { externalId: "b", takenBy: b.id },
        { externalId: "a", takenBy: a.id }
      ]
    })
  })

  it("answers stored portfolios unchanged, also when another one has the external id given again, and stores the others", () => {
    const there = aPortfolio({ ...first, name: "Stored", externalId: null })
    const other = aPortfolio({ externalId: "a" })
    const { answer, change } = decided(create(found({ byId: [there], byExternalId: [other] })))
    expect(answer).toEqual([third, there, second])
    expect(change?.writes.map(({ id }) => id)).toEqual([second.id, third.id])
    expect(decided(create(found({ byId: [first, second, third] }))).change).toBeNull()
  })

  it("reads what it decides on", () => {
    expect(findsOfCreation(command).map(({ by, kind, values }) => [kind.name, by, values])).toEqual([
      ["organisation", "id", [organisationId]],
      ["portfolio", "id", [third.id, first.id, second.id]],
      ["portfolio", "externalId", ["b", "a"]]
    ])
    expect(findsOfCreation({ organisationId, portfolios: [second] })).toHaveLength(2)
  })
})

describe("updatePortfolio", () => {
  const portfolio = aPortfolio({ organisationId, externalId: "own", siteCount: 2, capacityKw: 7 })
  const update = (changes: { name?: string; externalId?: string | null }, expectedVersions?: ReadonlyArray<number>) =>
    updatePortfolio({ portfolioId: portfolio.id, changes, at, ...(expectedVersions && { expectedVersions }) }, origin)

  it("sets members and version, keeps totals, and writes an event of the members that differ", () => {
    const { answer, change } = decided(
      update({ name: "Other", externalId: "own" })(found({ byId: [portfolio], byExternalId: [portfolio] }))
    )
    expect(answer).toEqual(aPortfolio({ ...portfolio, name: "Other", updatedAt: at, version: portfolio.version + 1 }))
    expect(change?.writes).toEqual([
      { kind: portfolioKind, id: portfolio.id, before: stored(portfolio), after: answer }
    ])
    expect(change?.events).toMatchObject([
      { type: "portfolio.updated", changes: { name: { from: portfolio.name, to: "Other" } } }
    ])
    expect(Object.keys(change?.events[0]?.changes ?? {})).toEqual(["name"])
  })

  it("changes nothing when all values are equal", () => {
    for (const changes of [{}, { name: portfolio.name }, { externalId: "own" }]) {
      expect(decided(update(changes)(found({ byId: [portfolio], byExternalId: [portfolio] })))).toEqual({
        answer: portfolio,
        change: null
      })
    }
  })

  it("refuses in the order portfolio, version, external id", () => {
    const other = aPortfolio({ organisationId, externalId: "taken" })
    const changes = { name: portfolio.name, externalId: "taken" }
    expect(refusal(update(changes, [9])(found({ byExternalId: [other] })))).toMatchObject({
      _tag: "PortfolioNotFound",
      portfolioId: portfolio.id
    })
    const both = found({ byId: [portfolio], byExternalId: [other] })
    expect(refusal(update(changes, [9])(both))).toMatchObject({ _tag: "VersionMismatch", actual: portfolio.version })
    expect(refusal(update(changes, [portfolio.version])(both))).toMatchObject({
      _tag: "ExternalIdTaken",
      conflicts: [{ externalId: "taken", takenBy: other.id }]
    })
    expect(refusal(update({ name: "Other" }, [9])(both))).toMatchObject({ _tag: "VersionMismatch" })
  })

  it("clears an external id with null, which finds none", () => {
    expect(decided(update({ externalId: null })(found({ byId: [portfolio] }))).answer.externalId).toBeNull()
    const finds = (changes: object) =>
      findsOfUpdate({ portfolioId: portfolio.id, changes, at }).map(({ by, kind }) => `${kind.name} ${by}`)
    expect(finds({ name: "x", externalId: null })).toEqual(["portfolio id"])
    expect(finds({ externalId: "x" })).toEqual(["portfolio id", "portfolio externalId"])
  })
})
