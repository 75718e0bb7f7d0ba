/**
 * Calls of bulk operations on sites, for tests of all operations.
 */
import type { SiteOperations } from "@solar-sites/core"
import { type Calls, type Ids, newSite } from "./OperationScene.ts"

type Bulk = SiteOperations["bulk"]

const named = { ...newSite, externalId: "A" }

export const bulkCalls: Calls<Bulk> = [
  (bulk, { portfolio }) => bulk({ sites: [{ ...named, portfolioId: portfolio }] }),
  (bulk) => bulk({ sites: [named], mode: "upsert", dryRun: true }),
  (bulk) => bulk({ sites: [named, { ...named, capacity: -1 }] }),
  (bulk) => bulk({ sites: [{ externalId: "A" }], mode: "upsert" }),
  (bulk) => bulk({ sites: [] })
]

/** With the scopes that each call needs. */
export const bulkScopes: ReadonlyArray<
  readonly [
    scopes: "sites:write" | ReadonlyArray<"sites:write" | "portfolios:write">,
    call: (bulk: Bulk, ids: Ids) => Promise<unknown>
  ]
> = [
  ["sites:write", (bulk) => bulk({ sites: [newSite, { ...newSite, portfolioId: null }] })],
  [
    ["sites:write", "portfolios:write"],
    (bulk, { portfolio }) => bulk({ sites: [newSite, { ...newSite, portfolioId: portfolio }] })
  ],
  ["sites:write", (bulk) => bulk({ sites: [named], mode: "upsert" })],
  [["sites:write", "portfolios:write"], (bulk) => bulk({ sites: [{ ...named, portfolioId: null }], mode: "upsert" })]
]
