/**
 * Calls of the operations of requirements and coverage, for the comparison of library and client.
 */
import type { CoverageOperations, RequirementOperations } from "@solar-sites/core"

const unknown = "01890000-0000-7000-8000-000000000000"

type Calls<Operations> = {
  readonly [Name in keyof Operations]: ReadonlyArray<
    (method: Operations[Name], ids: { readonly portfolio: string }) => Promise<unknown>
  >
}

/** Does not compile without calls of every operation. */
export const coverageCalls: {
  readonly requirements: Calls<RequirementOperations>
  readonly coverage: Calls<CoverageOperations>
} = {
  requirements: {
    get: [(get) => get()],
    replace: [
      (replace, { portfolio }) => replace({ requirements: [{ documentType: "ppa", portfolioId: portfolio }] }),
      (replace) => replace({ requirements: [{ documentType: "ppa" }] }, { expectedVersion: 0 }),
      (replace) => replace({ requirements: [{ documentType: "ppa" }] }, { expectedVersion: 1 }),
      (replace) => replace({ requirements: [{ documentType: "ppa", portfolioId: unknown }] }),
      (replace) => replace({ requirements: [{ documentType: "ppa" }, { documentType: "ppa", portfolioId: null }] }),
      (replace) => replace({})
    ]
  },
  coverage: {
    list: [
      (list) => list(),
      (list, { portfolio }) =>
        list({ portfolioId: portfolio, state: "missing", documentType: "ppa", asOf: "2026-02-28" }),
      (list) => list({ limit: 1 }),
      (list) => list({ asOf: "2026-02-30", limit: 0, siteId: "x" })
    ],
    summary: [
      (summary) => summary(),
      (summary) => summary({ portfolioId: unknown }),
      (summary) => summary({ asOf: "1" })
    ]
  }
}
