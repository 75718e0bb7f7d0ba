import { allConditionsRead, type SiteConditions } from "@solar-sites/core"
import { expect, it } from "vitest"

it("a condition that a repository does not read does not compile", () => {
  const conditions: SiteConditions & { readonly tag?: string } = {}
  const { portfolioId, siteId, ...rest } = conditions
  // @ts-expect-error tag is not read
  allConditionsRead(rest)
  const { tag, ...others } = rest
  allConditionsRead(others)
  expect([portfolioId, siteId, tag]).toEqual([undefined, undefined, undefined])
})
