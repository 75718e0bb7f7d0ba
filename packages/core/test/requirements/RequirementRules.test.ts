import { describe, expect, it } from "@effect/vitest"
import {
  type DocumentRequirement,
  type Found,
  foundOf,
  type PortfolioId,
  RequirementListRecord,
  type RequirementRecord,
  requirementKind,
  requirementListKind,
  requirementRecords
} from "@solar-sites/core"
import { aPortfolio, aRequirement } from "@solar-sites/testing"
import { DateTime, Result } from "effect"
import { organisationReference } from "../../src/records/OrganisationReference.ts"
import {
  findsOfReplacement,
  foundList,
  type RequirementReplacement,
  replaceRequirements
} from "../../src/requirements/RequirementRules.ts"
import { portfolioReference } from "../../src/sites/SiteKind.ts"
import { at, organisationId, origin, stored } from "../records/deciding.ts"

const before = DateTime.makeUnsafe("2026-05-01T12:00:00Z")
const listOf = (version: number) => new RequirementListRecord({ id: organisationId, version, updatedAt: before })

/** What a load finds. */
const found = (records: {
  readonly organisation?: false
  readonly portfolios?: ReadonlyArray<PortfolioId>
  readonly version?: number
  readonly entries?: ReadonlyArray<RequirementRecord>
}): Found =>
  foundOf([
    {
      find: { kind: organisationReference, by: "id", values: [] },
      stored: records.organisation === false ? [] : [stored({ id: organisationId })]
    },
    {
      find: { kind: portfolioReference, by: "id", values: [] },
      stored: (records.portfolios ?? []).map((id) => stored({ id }))
    },
    {
      find: { kind: requirementListKind, by: "id", values: [] },
      stored: records.version === undefined ? [] : [stored(listOf(records.version))]
    },
    { find: { kind: requirementKind, by: "listId", values: [] }, stored: (records.entries ?? []).map(stored) }
  ])

const [epc, insurance, ppa] = [
  aRequirement({ documentType: "epc" }),
  aRequirement({ documentType: "insurance", validityRequired: true }),
  aRequirement({ documentType: "ppa", expiringWithinDays: 7 })
]
const entriesOf = (...requirements: ReadonlyArray<DocumentRequirement>) =>
  requirementRecords(organisationId, requirements)

const replace = (
  requirements: ReadonlyArray<DocumentRequirement>,
  options: Pick<RequirementReplacement, "expectedVersions"> = {}
) => replaceRequirements({ organisationId, requirements, at, ...options }, origin)

const refusal = <E extends { readonly _tag: string }>(result: Result.Result<unknown, E>): E => {
  if (Result.isSuccess(result)) throw new Error("it was decided")
  return result.failure
}

const decided = <A>(result: Result.Result<A, unknown>): A => {
  if (Result.isFailure(result)) throw new Error("it was refused")
  return result.success
}

/** The writes of entries as id, and document type before and after. */
const writesOf = (
  requirements: ReadonlyArray<DocumentRequirement>,
  entries: ReadonlyArray<RequirementRecord>
): ReadonlyArray<unknown> => {
  const { change } = decided(replace(requirements)(found({ version: 1, entries })))
  const typeOf = (record: object | null | undefined) => (record ? Reflect.get(record, "documentType") : null)
  const [, ...writes] = change?.writes ?? []
  return writes.map((write) => [write.id, typeOf(write.before?.record), typeOf(write.after)])
}

describe("replaceRequirements", () => {
  it("stores the first list with its entries and one event", () => {
    const { answer, change } = decided(replace([epc, insurance])(found({})))
    expect(answer).toMatchObject({ requirements: [epc, insurance], version: 1 })
    const list = { id: organisationId, version: 1, updatedAt: at }
    const [first, second] = entriesOf(epc, insurance)
    expect(change?.writes).toMatchObject([
      { kind: requirementListKind, id: organisationId, before: null, after: list },
      { kind: requirementKind, id: "0", before: null, after: first },
      { kind: requirementKind, id: "1", before: null, after: second }
    ])
    expect(change?.events).toEqual([
      {
        type: "requirements.updated",
        subjectId: organisationId,
        subjectName: null,
        siteId: null,
        changes: { requirements: { from: [], to: [epc, insurance] } }
      }
    ])
  })

  it("writes the list and the entries that differ at their positions, and removes the others", () => {
    const entries = entriesOf(epc, insurance, ppa)
    expect(writesOf([epc, ppa], entries)).toEqual([
      ["1", "insurance", "ppa"],
      ["2", "ppa", null]
    ])
    expect(writesOf([], entries)).toHaveLength(3)
    // The entry at position 1 went with its portfolio.
    const [first, , third] = entries
    const gap = [third, first].flatMap((entry) => entry ?? [])
    expect(writesOf([epc, ppa], gap)).toEqual([])
    expect(writesOf([epc, insurance], gap)).toEqual([
      ["1", null, "insurance"],
      ["2", "ppa", null]
    ])
  })

  it("expects the revision of the list, which every entry shares", () => {
    const { change } = decided(replace([epc])(found({ version: 4, entries: entriesOf(epc, insurance) })))
    expect(change?.writes[0]).toMatchObject({ before: stored(listOf(4)), after: { version: 5, updatedAt: at } })
    expect(change?.mayChange).toEqual(["0", "1"])
  })

  it("changes nothing when the list is equal, gaps of positions included, also without an organisation", () => {
    const [first, , third] = entriesOf(epc, insurance, ppa)
    const gap = [third, first].flatMap((entry) => entry ?? [])
    const { answer, change } = decided(replace([epc, ppa])(found({ version: 3, entries: gap })))
    expect(change).toBeNull()
    expect(answer).toMatchObject({ requirements: [epc, ppa], version: 3 })
    expect(decided(replace([])(found({ organisation: false })))).toMatchObject({ answer: { version: 0 }, change: null })
  })

  it("refuses in the order portfolios, each once, version, organisation", () => {
    const [one, two, there] = [aPortfolio().id, aPortfolio().id, aPortfolio().id]
    const list = [two, there, one, two].map((portfolioId) => aRequirement({ documentType: "epc", portfolioId }))
    const stale = { expectedVersions: [9] }
    const nowhere = { organisation: false, portfolios: [there] } as const
    expect(refusal(replace(list, stale)(found(nowhere)))).toMatchObject({
      _tag: "PortfoliosNotFound",
      portfolioIds: [two, one]
    })
    const all = { ...nowhere, portfolios: [one, two, there] }
    expect(refusal(replace(list, stale)(found(all)))).toMatchObject({ _tag: "VersionMismatch", actual: 0 })
    expect(refusal(replace([], stale)(found({ version: 2 })))).toMatchObject({ _tag: "VersionMismatch", actual: 2 })
    expect(refusal(replace(list)(found(all)))).toMatchObject({ _tag: "OrganisationNotFound", organisationId })
  })

  it("reads what it decides on", () => {
    const { id: portfolioId } = aPortfolio()
    const requirements = [aRequirement({ portfolioId }), epc, aRequirement({ documentType: "ppa", portfolioId })]
    const finds = findsOfReplacement({ organisationId, requirements, at })
    expect(finds.map(({ by, kind, values }) => [kind.name, by, values])).toEqual([
      ["organisation", "id", [organisationId]],
      ["portfolio", "id", [portfolioId]],
      ["requirement_list", "id", [organisationId]],
      ["requirement", "listId", [organisationId]]
    ])
  })
})

describe("foundList", () => {
  it("orders more than ten entries by position", () => {
    const requirements = Array.from({ length: 12 }, (_, index) => aRequirement({ expiringWithinDays: index + 1 }))
    const entries = entriesOf(...requirements).toReversed()
    expect(foundList(found({ version: 1, entries }), organisationId)).toMatchObject({ requirements, version: 1 })
  })
})
