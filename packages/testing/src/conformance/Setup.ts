/**
 * What the cases have in common: stored records to work on, and values that are
 * hard to keep.
 */
import {
  type Organisation,
  type OrganisationId,
  OrganisationRepository,
  type Portfolio,
  PortfolioRepository,
  type Site,
  SiteRepository
} from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { anOrganisation, aPortfolio, aSite } from "../fixtures.ts"

/** The ports that a case about sites and portfolios needs. */
export type RecordPorts = OrganisationRepository | SiteRepository | PortfolioRepository

/** When the changes of a case happen: later than anything a fixture says, and not on a full second. */
export const changedAt = DateTime.makeUnsafe("2026-10-25T00:59:59.501Z")
export const changedAgainAt = DateTime.makeUnsafe("2026-10-25T01:00:00.007Z")

/** An earlier instant the greater the index is: ids ascend where these descend, as with clocks that differ. */
export const secondsBefore = (index: number): DateTime.Utc => DateTime.subtract(changedAt, { seconds: index })

/** Stores an organisation of the case's own. */
export const insertOrganisation = Effect.fnUntraced(function* (overrides?: Partial<Organisation>) {
  const organisation = anOrganisation(overrides)
  yield* (yield* OrganisationRepository).insert(organisation)
  return organisation.id
})

/** Stores a portfolio in the organisation. */
export const insertPortfolio = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  overrides?: Partial<Portfolio>
) {
  const portfolio = aPortfolio({ ...overrides, organisationId })
  yield* (yield* PortfolioRepository).insertMany(organisationId, [portfolio])
  return portfolio
})

/** Stores a site in the organisation. */
export const insertSite = Effect.fnUntraced(function* (organisationId: OrganisationId, overrides?: Partial<Site>) {
  const site = aSite({ ...overrides, organisationId })
  yield* (yield* SiteRepository).insert(organisationId, site)
  return site
})

/** Stores some sites in the organisation, all alike, in ascending order of id. */
export const insertSites = (organisationId: OrganisationId, count: number, overrides?: Partial<Site>) =>
  Effect.forEach(Array.from({ length: count }), () => insertSite(organisationId, overrides))

/** The site as it is now. */
export const currentSite = Effect.fnUntraced(function* ({ id, organisationId }: Site) {
  return Option.getOrNull(yield* (yield* SiteRepository).findById(organisationId, id))
})

/** The portfolio as it is now. */
export const currentPortfolio = Effect.fnUntraced(function* ({ id, organisationId }: Portfolio) {
  return Option.getOrNull(yield* (yield* PortfolioRepository).findById(organisationId, id))
})

/** Text that a careless adapter interprets, cuts, folds or encodes twice. */
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
