/**
 * Calls of the operations of requirements and coverage, for the comparison of library and client.
 */
import { type CallsOf, unknown } from "./OperationScene.ts"

export const requirementCalls: CallsOf<"requirements"> = {
  replace: [
    (replace, { portfolio }) => replace({ requirements: [{ documentType: "ppa", portfolioId: portfolio }] }),
    (replace) => replace({ requirements: [{ documentType: "ppa" }] }, { expectedVersion: 0 }),
    (replace) => replace({ requirements: [{ documentType: "ppa" }] }, { expectedVersion: 1 }),
    (replace) => replace({ requirements: [{ documentType: "ppa", portfolioId: unknown }] }),
    (replace) => replace({ requirements: [{ documentType: "ppa" }, { documentType: "ppa", portfolioId: null }] }),
    (replace) => replace({})
  ]
}

export const coverageCalls: CallsOf<"coverage"> = {
  list: [
    (list, { portfolio }) =>
      list({ portfolioId: portfolio, state: "missing", documentType: "ppa", asOf: "2026-02-28" }),
    (list) => list({ limit: 1 }),
    (list) => list({ asOf: "2026-02-30", limit: 0, siteId: "x" })
  ],
  summary: [(summary) => summary({ portfolioId: unknown }), (summary) => summary({ asOf: "1" })]
}
