import { allConditionsRead, type PortfolioConditions } from "@solar-sites/core"
import { expect, it } from "vitest"

it("a condition that a repository does not read does not compile", () => {
  const conditions: PortfolioConditions & { readonly tag?: string } = {}
  const { externalId, q, updatedAfter, ...rest } = conditions
  // @ts-expect-error tag is not read
  allConditionsRead(rest)
  const { tag, ...others } = rest
  allConditionsRead(others)
  expect([externalId, q, updatedAfter, tag]).toEqual([undefined, undefined, undefined, undefined])
})
