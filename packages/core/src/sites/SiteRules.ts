/**
 * Rules of sites as pure functions: records and a command in, a change or a refusal out.
 */
import { Array as Arr, type DateTime, Equal, Result } from "effect"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import { PortfolioRequired } from "../caller/Reach.ts"
import type { EventOrigin } from "../events/EventOrigin.ts"
import { ExternalIdTaken } from "../ids/ExternalId.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { Decision } from "../records/Deciding.ts"
import { externalIdTaken, findsOfExternalIds } from "../records/ExternalIds.ts"
import { assumed, type Found, foundOf } from "../records/Found.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { organisationReference } from "../records/OrganisationReference.ts"
import type { Find } from "../records/RecordKind.ts"
import { type CheckedVersion, judgeVersion } from "../versions/CheckedVersion.ts"
import { type ExpectedVersions, isExpected, VersionMismatch } from "../versions/Version.ts"
import { capacityKw } from "./Capacity.ts"
import { PortfolioNotFound, PortfoliosNotFound } from "./PortfolioReference.ts"
import { Site, type SiteId } from "./Site.ts"
import { SiteNotFound, SitesIncomplete, SitesTooLarge } from "./SiteErrors.ts"
import { portfolioReference, siteEvent, siteKind } from "./SiteKind.ts"
import type { SavedSite, SavedSites, SiteChanges } from "./SiteRepository.ts"

/** Records that the rules of a site with these members read. */
const referredBy = (members: SiteChanges): ReadonlyArray<Find> => [
  ...(members.portfolioId ? [{ kind: portfolioReference, by: "id", values: [members.portfolioId] }] : []),
  ...findsOfExternalIds(siteKind, [members])
]

const isMissing = (found: Found, portfolioId: PortfolioId | null | undefined): portfolioId is PortfolioId =>
  Boolean(portfolioId) && found.byId(portfolioReference, portfolioId ?? "") === null

/** The records that `createSite` reads when its commit was stale. */
export const findsOfCreation = (site: Site): ReadonlyArray<Find> => [
  { kind: organisationReference, by: "id", values: [site.organisationId] },
  { kind: siteKind, by: "id", values: [site.id] },
  ...referredBy(site)
]

/** The records as if nothing stood against a new site. */
export const assumedForCreation = ({ organisationId, portfolioId }: Site): Found =>
  foundOf([
    assumed(organisationReference, { id: organisationId }),
    ...(portfolioId === null ? [] : [assumed(portfolioReference, { id: portfolioId })])
  ])

/** Stores a new site. A site that is stored under its id is the answer, unchanged. */
export const createSite =
  (site: Site, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<Site>, OrganisationNotFound | PortfolioNotFound | ExternalIdTaken> => {
    const { id, organisationId, portfolioId } = site
    if (found.byId(organisationReference, organisationId) === null) {
      return Result.fail(new OrganisationNotFound({ organisationId }))
    }
    const there = found.byId(siteKind, id)
    if (there !== null) return Result.succeed({ answer: there.record, change: null })
    // It was created by the same request, and is out of reach since.
    if (found.isHidden(siteKind, "id", id)) return Result.succeed({ answer: site, change: null })
    if (isMissing(found, portfolioId)) return Result.fail(new PortfolioNotFound({ portfolioId }))
    const taken = externalIdTaken(found, siteKind, [site])
    if (taken !== null) return Result.fail(taken)
    return Result.succeed({
      answer: site,
      change: {
        writes: [{ kind: siteKind, id, before: null, after: site }],
        events: [siteEvent("site.created", null, site)],
        origin,
        at: site.createdAt
      }
    })
  }

/** The site with the changes; the same instance when all values are equal. */
export const changedSite = (site: Site, changes: SiteChanges, at: DateTime.Utc): Site => {
  const isSame = Object.entries(changes).every(([member, value]) => Equal.equals(Reflect.get(site, member), value))
  if (isSame) return site
  const next = { ...site, ...changes }
  return makeUnchecked(Site, {
    ...next,
    capacityKw: capacityKw(next.capacity, next.unit),
    updatedAt: at,
    version: site.version + 1
  })
}

/** A change of a site, by a caller who expects one of the versions. */
export interface SiteUpdate {
  readonly organisationId: OrganisationId
  readonly siteId: SiteId
  readonly changes: SiteChanges
  readonly at: DateTime.Utc
  readonly expectedVersions?: ExpectedVersions
}

/** The records that `updateSite` reads. */
export const findsOfUpdate = ({ changes, siteId }: SiteUpdate): ReadonlyArray<Find> => [
  { kind: siteKind, by: "id", values: [siteId] },
  ...referredBy(changes)
]

/** Sets the members of a site. */
export const updateSite =
  ({ at, changes, expectedVersions, siteId }: SiteUpdate, origin: EventOrigin) =>
  (
    found: Found
  ): Result.Result<Decision<Site>, SiteNotFound | PortfolioNotFound | VersionMismatch | ExternalIdTaken> => {
    const before = found.byId(siteKind, siteId)
    if (before === null) return Result.fail(new SiteNotFound({ siteIds: [siteId] }))
    const { portfolioId } = changes
    if (isMissing(found, portfolioId)) return Result.fail(new PortfolioNotFound({ portfolioId }))
    const { record: site } = before
    if (!isExpected(expectedVersions, site.version)) return Result.fail(new VersionMismatch({ actual: site.version }))
    const taken = externalIdTaken(found, siteKind, [{ ...changes, id: siteId }])
    if (taken !== null) return Result.fail(taken)
    const after = changedSite(site, changes, at)
    if (after === site) return Result.succeed({ answer: site, change: null })
    return Result.succeed({
      answer: after,
      change: {
        writes: [{ kind: siteKind, id: siteId, before, after }],
        events: [siteEvent("site.updated", site, after)],
        origin,
        at
      }
    })
  }

/** Saves many sites. One statement does so, and answers what it found. */
export const saveSites =
  (organisationId: OrganisationId) =>
  ({
    areTooLarge,
    incomplete,
    missing,
    organisationFound,
    saved,
    taken,
    unplaced
  }: SavedSites): Result.Result<
    ReadonlyArray<SavedSite>,
    PortfolioRequired | OrganisationNotFound | SitesIncomplete | PortfoliosNotFound | ExternalIdTaken | SitesTooLarge
  > => {
    if (!organisationFound) return Result.fail(new OrganisationNotFound({ organisationId }))
    if (unplaced.length > 0) return Result.fail(new PortfolioRequired({ positions: unplaced }))
    if (incomplete.length > 0) return Result.fail(new SitesIncomplete({ positions: incomplete }))
    const portfolioIds = Arr.dedupe(missing)
    if (Arr.isArrayNonEmpty(portfolioIds)) return Result.fail(new PortfoliosNotFound({ portfolioIds }))
    if (Arr.isReadonlyArrayNonEmpty(taken)) return Result.fail(new ExternalIdTaken({ conflicts: taken }))
    return areTooLarge ? Result.fail(new SitesTooLarge()) : Result.succeed(saved)
  }

/** Deletes a site with its documents. One statement does so, and answers what it found; null is no site. */
export const deleteSite =
  (siteId: SiteId) =>
  (found: CheckedVersion | null): Result.Result<void, SiteNotFound | VersionMismatch> =>
    found === null ? Result.fail(new SiteNotFound({ siteIds: [siteId] })) : judgeVersion(found)
