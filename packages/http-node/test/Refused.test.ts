import { SiteNotFound } from "@solar-sites/core"
import { Data, Effect } from "effect"
import { expect, it } from "vitest"
import { isProblemCode } from "../src/contract/Problems.ts"
import { asRefused, type CoreRefusal, type ProblemTable, problemTable, type Refusal } from "../src/pipeline/Refused.ts"

it("the table of problems does not compile without an entry for each refusal of core", () => {
  const { SiteNotFound: _left, ...others } = problemTable
  // @ts-expect-error: SiteNotFound has no entry.
  const incomplete: ProblemTable<CoreRefusal> = others
  expect(Object.keys(incomplete)).not.toContain("SiteNotFound")
})

class Unlisted extends Data.TaggedError("Unlisted")<{ readonly code: "site_not_found" }> {}
class Uncoded extends Data.TaggedError("Uncoded")<{ readonly code: "not_in_the_contract" }> {}

it("a handler does not compile when it can fail with a refusal that is not in the table", () => {
  // @ts-expect-error: Unlisted is no Refusal.
  const handler: Effect.Effect<never, Refusal> = Effect.fail(new Unlisted({ code: "site_not_found" }))
  expect(Effect.isEffect(handler)).toBe(true)
})

it("an entry does not compile when its code is not in the contract", () => {
  const entries: Pick<ProblemTable<Uncoded | SiteNotFound>, "Uncoded"> = {
    // @ts-expect-error: the code of Uncoded is no code of a problem.
    Uncoded: problemTable.SiteNotFound
  }
  expect(Object.keys(entries)).toEqual(["Uncoded"])
})

it("a refusal of core has the problem of its code, and any other value is internal", () => {
  expect(asRefused(new SiteNotFound({ siteIds: [] }))).toMatchObject({ _tag: "Refused", code: "site_not_found" })
  // The effect of a host can fail with a value that its type does not allow.
  const foreign = new Unlisted({ code: "site_not_found" }) as unknown as Refusal
  expect(asRefused(foreign)).toMatchObject({ code: "internal" })
  expect(isProblemCode("internal")).toBe(true)
})
