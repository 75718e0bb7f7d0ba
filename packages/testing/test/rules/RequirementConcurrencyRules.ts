/**
 * Concurrent replacements of the list of requirements.
 */
import { type DocumentRequirement, DocumentType, requirementListRecords, VersionMismatch } from "@solar-sites/core"
import { Effect, Result } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { repeatedly, succeeded, succeededOrRefused } from "../../src/conformance/Expectations.ts"
import { currentRequirements } from "../../src/conformance/RequirementSetup.ts"
import { changedAt, insertOrganisation, type RecordPorts } from "../../src/conformance/Setup.ts"
import { aRequirement } from "../../src/fixtures.ts"

const at = { at: changedAt }

/** Lists of different lengths, so that entries of two lists cannot look like one of them. */
const lists: ReadonlyArray<ReadonlyArray<DocumentRequirement>> = DocumentType.literals
  .slice(0, 5)
  .map((documentType, index) =>
    Array.from({ length: 5 - index }, (_, days) => aRequirement({ documentType, expiringWithinDays: days + 1 }))
  )

const concurrently = <A, E, R>(attempts: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.all(attempts.map(Effect.result), { concurrency: "unbounded" })

export const requirementConcurrencyCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "lets one of several concurrent replacements of the same expected version win",
    check: repeatedly(
      Effect.gen(function* () {
        const { replace } = yield* requirementListRecords
        const organisationId = yield* insertOrganisation()
        for (const version of [0, 1]) {
          const results = yield* concurrently(
            lists.map((list) =>
              replace(organisationId, version === 0 ? list : list.slice(1), {
                at: changedAt,
                expectedVersions: [version]
              })
            )
          )
          const won = results.filter(Result.isSuccess).map(({ success }) => ({ ...success }))
          for (const result of results) succeededOrRefused(result, VersionMismatch, "the others find a new version")
          assert.deepEqual(won, [yield* currentRequirements(organisationId)], "one list is stored whole")
        }
      })
    )
  },
  {
    name: "loses none of several concurrent replacements and mixes no two lists",
    check: repeatedly(
      Effect.gen(function* () {
        const { replace } = yield* requirementListRecords
        const organisationId = yield* insertOrganisation()
        const results = yield* concurrently(lists.map((list) => replace(organisationId, list, at)))
        const answers = results.map((result) => succeeded(result, "no replacement is refused"))
        const versions = answers.map(({ version }) => version).toSorted((a, b) => a - b)
        assert.deepEqual(versions, [1, 2, 3, 4, 5], "each is a change")
        const last = answers.find(({ version }) => version === 5)
        assert.deepEqual(yield* currentRequirements(organisationId), { ...last }, "the last one is stored whole")
      })
    )
  }
]
