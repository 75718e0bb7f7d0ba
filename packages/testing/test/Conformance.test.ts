import { OrganisationRepository } from "@solar-sites/core"
import { anOrganisation, type ConformanceSuite, MemoryAdapters, runConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { expect, it } from "vitest"

const suite: ConformanceSuite<OrganisationRepository> = {
  port: "OrganisationRepository",
  cases: [
    { name: "passes", check: OrganisationRepository.use(({ insert }) => insert(anOrganisation())) },
    { name: "is refused", check: Effect.fail("no reason") },
    {
      name: "is wrong",
      check: Effect.sync(() => {
        throw new RangeError("not as promised")
      })
    },
    {
      name: "starts with nothing",
      check: OrganisationRepository.use(({ list }) => list({ after: null, limit: 1 })).pipe(
        Effect.map(({ items }) => expect(items).toEqual([]))
      )
    }
  ]
}

const run = async () => {
  const groups: Array<string> = []
  const outcomes: Array<readonly [string, string]> = []
  const bodies: Array<readonly [string, () => Promise<void>]> = []
  const runner = {
    describe: (name: string, body: () => void) => {
      groups.push(name)
      body()
    },
    it: (name: string, body: () => Promise<void>) => bodies.push([name, body])
  }
  runConformance(runner, suite, { name: "memory", layer: MemoryAdapters.layer })
  for (const [name, body] of bodies) {
    outcomes.push([
      name,
      await body().then(
        () => "passed",
        (cause) => String(cause)
      )
    ])
  }
  return { groups, outcomes }
}

it("hands every case to the runner it is given, each with an adapter of its own", async () => {
  const { groups, outcomes } = await run()
  expect(groups).toEqual(["OrganisationRepository conformance: memory"])
  expect(outcomes).toEqual([
    ["passes", "passed"],
    ["is refused", expect.stringContaining("no reason")],
    ["is wrong", "RangeError: not as promised"],
    ["starts with nothing", "passed"]
  ])
})
