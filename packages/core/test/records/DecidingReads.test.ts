import { describe, expect, it } from "@effect/vitest"
import {
  type AnyKind,
  type Change,
  documentKind,
  type Find,
  fileKind,
  foundOf,
  Revision,
  siteKind
} from "@solar-sites/core"
import { anOrganisation } from "@solar-sites/testing"
import { Effect, Result } from "effect"
import { makeDeciding } from "../../src/records/Deciding.ts"
import { organisationReference } from "../../src/records/OrganisationReference.ts"
import { at, origin } from "../documents/rules.ts"

const { id: organisationId } = anOrganisation()
const id = organisationId as string
const finds: ReadonlyArray<Find> = [documentKind, fileKind, siteKind, organisationReference].map((kind: AnyKind) => ({
  kind,
  by: "id",
  values: [id]
}))
const stored = { record: { id }, revision: Revision("1") }

/** The reads of a change that writes the file, after a load of records of several kinds with one id. */
const readsOf = (weakened: { readonly mayChange?: ReadonlyArray<string> }) =>
  Effect.gen(function* () {
    const changes: Array<Change> = []
    const { update } = makeDeciding({
      load: () => Effect.succeed(foundOf(finds.map((find) => ({ find, stored: [stored] })))),
      commit: (_, __, change) => {
        changes.push(change)
        return Effect.succeed({ _tag: "Committed", revisions: [null] })
      }
    })
    const writes = [{ kind: fileKind, id, before: stored, after: { id } }]
    const change = { writes, events: [], origin, at, absent: [{ kind: fileKind, id: "absent" }], ...weakened }
    const rule = () => Result.succeed({ answer: undefined, change })
    yield* update(fileKind, id, { operation: "test", organisationId, finds, rule })
    return changes.flatMap(({ reads }) => reads.map(({ kind, revision, ...read }) => [kind.name, read.id, revision]))
  })

describe("a change", () => {
  it.effect("expects every loaded record that it does not write, also one with the id of a written record", () =>
    Effect.gen(function* () {
      expect(yield* readsOf({})).toEqual([
        ["document", id, "1"],
        ["site", id, "1"],
        ["file", "absent", null]
      ])
    })
  )

  it.effect("lets loaded records change that its rule names", () =>
    Effect.gen(function* () {
      expect(yield* readsOf({ mayChange: [id] })).toEqual([["file", "absent", null]])
    })
  )
})
