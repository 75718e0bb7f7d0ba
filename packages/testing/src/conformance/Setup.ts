/**
 * Common setup: stored records, and values that are hard to store.
 */

import {
  eventOrigins,
  type Organisation,
  type OrganisationId,
  OrganisationRepository,
  type Portfolio,
  type PortfolioRepository,
  type Records,
  type Site,
  type SiteRepository
} from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { anOrganisation, aPortfolio, aSite } from "../fixtures.ts"
import { portfolioMethods, siteMethods } from "./Methods.ts"

/** Ports of the cases about sites and portfolios. */
export type RecordPorts = OrganisationRepository | Records | SiteRepository | PortfolioRepository

/**
 * Instants of changes: after all instants of fixtures, and not on a full second. Winter time begins
 * between them in the `zone` of `TimeZone.ts`.
 */
export const changedAt = DateTime.makeUnsafe("2026-10-25T00:59:59.501Z")
export const changedAgainAt = DateTime.makeUnsafe("2026-10-25T01:00:00.007Z")

/**
 * The larger the index, the earlier the instant: ids ascend while instants descend, as with
 * differing clocks.
 */
export const secondsBefore = (index: number): DateTime.Utc => DateTime.subtract(changedAt, { seconds: index })

/** Inserts a new organisation and returns its id. */
export const insertOrganisation = Effect.fnUntraced(function* (overrides?: Partial<Organisation>) {
  const organisation = anOrganisation(overrides)
  yield* (yield* OrganisationRepository).insert(organisation)
  return organisation.id
})

/** The origin of a change in the organisation. The actor is the caller, when it is one of the organisation. */
export const originIn = (organisationId: OrganisationId) =>
  Effect.flatMap(eventOrigins, (originOf) => originOf(organisationId))

/** Inserts a portfolio into the organisation. */
export const insertPortfolio = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  overrides?: Partial<Portfolio>
) {
  const portfolio = aPortfolio({ ...overrides, organisationId })
  yield* (yield* portfolioMethods).insertMany(organisationId, [portfolio])
  return portfolio
})

/** Inserts a site into the organisation. */
export const insertSite = Effect.fnUntraced(function* (organisationId: OrganisationId, overrides?: Partial<Site>) {
  const site = aSite({ ...overrides, organisationId })
  yield* (yield* siteMethods).insert(organisationId, site)
  return site
})

/** Inserts equal sites into the organisation at the same time, in ascending order of id. */
export const insertSites = (organisationId: OrganisationId, count: number, overrides?: Partial<Site>) =>
  Effect.forEach(Array.from({ length: count }), () => insertSite(organisationId, overrides), {
    concurrency: "unbounded"
  })

/** The stored site, or null. */
export const currentSite = Effect.fnUntraced(function* ({ id, organisationId }: Site) {
  return Option.getOrNull(yield* (yield* siteMethods).findById(organisationId, id))
})

/** The stored portfolio, or null. */
export const currentPortfolio = Effect.fnUntraced(function* ({ id, organisationId }: Portfolio) {
  return Option.getOrNull(yield* (yield* portfolioMethods).findById(organisationId, id))
})

/**
 * Versions beyond the range of stores, since `If-Match` accepts any number: the first numbers beyond 32 bits, and
 * the largest safe integer.
 */
export const tooGreat = [2 ** 31, 3_000_000_000, Number.MAX_SAFE_INTEGER]

/** Text that a careless adapter interprets, truncates, folds or encodes twice. */
export const hostileTexts: ReadonlyArray<string> = [
  `O'Hara's "Solar" \\ Farm \\n \\u0000 \\'`,
  `'); drop table site; --`,
  `$1 $2 \${x} %s ? :name @p1 {0}`,
  `{"a":[1,null]}`,
  "null",
  "NaN",
  "0",
  "{}",
  "(1,2)",
  "☀️🏡 👩‍👩‍👧 𝔖𝔬𝔩𝔞𝔯 𠜎",
  "x\u0302\u0323 e\u0301 \u00e9 ﬃ İ ß",
  "<script>alert(1)</script> &amp; &#39;",
  "a   b \u00a0 \u3000 c",
  "שלום عالم Ελλάδα 日本"
]

/** Updates an organisation as the caller, or without an actor. */
export const updateOrganisation = (
  organisationId: OrganisationId,
  changes: Parameters<OrganisationRepository["Service"]["update"]>[1]
) =>
  OrganisationRepository.use((organisations) =>
    Effect.flatMap(originIn(organisationId), (origin) => organisations.update(organisationId, changes, origin))
  )
