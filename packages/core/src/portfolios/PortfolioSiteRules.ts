/**
 * Rules of operations on all sites of a portfolio, or on many. One statement locks and changes them, or changes
 * nothing, and answers what it found; null is no portfolio. The rules make refusals of that.
 */
import { Array as Arr, Result } from "effect"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import { PortfolioNotFound } from "../sites/PortfolioReference.ts"
import type { Site, SiteId } from "../sites/Site.ts"
import { SiteNotFound, SitesTooLarge } from "../sites/SiteErrors.ts"
import { type CheckedVersion, judgeVersion } from "../versions/CheckedVersion.ts"
import type { VersionMismatch } from "../versions/Version.ts"
import { SiteNotInPortfolio } from "./PortfolioErrors.ts"
import type { MovedSites } from "./PortfolioRepository.ts"

const inOrder = (siteIds: ReadonlyArray<SiteId>, { missing }: MovedSites): ReadonlyArray<SiteId> => {
  const ids = new Set(missing)
  return siteIds.filter((siteId) => ids.has(siteId))
}

/** Deletes a portfolio. */
export const deletePortfolio =
  (portfolioId: PortfolioId) =>
  (found: CheckedVersion | null): Result.Result<void, PortfolioNotFound | VersionMismatch> =>
    found === null ? Result.fail(new PortfolioNotFound({ portfolioId })) : judgeVersion(found)

/** Moves sites into a portfolio. Answers the sites. */
export const addSites =
  (portfolioId: PortfolioId, siteIds: ReadonlyArray<SiteId>) =>
  (found: MovedSites | null): Result.Result<ReadonlyArray<Site>, PortfolioNotFound | SiteNotFound | SitesTooLarge> => {
    if (found === null) return Result.fail(new PortfolioNotFound({ portfolioId }))
    const missing = inOrder(siteIds, found)
    if (Arr.isReadonlyArrayNonEmpty(missing)) return Result.fail(new SiteNotFound({ siteIds: missing }))
    return found.areTooLarge ? Result.fail(new SitesTooLarge()) : Result.succeed(found.sites)
  }

/** Removes sites from a portfolio. */
export const removeSites =
  (portfolioId: PortfolioId, siteIds: ReadonlyArray<SiteId>) =>
  (found: MovedSites | null): Result.Result<void, PortfolioNotFound | SiteNotInPortfolio | VersionMismatch> => {
    if (found === null) return Result.fail(new PortfolioNotFound({ portfolioId }))
    const missing = inOrder(siteIds, found)
    return missing.length > 0
      ? Result.fail(new SiteNotInPortfolio({ portfolioId, siteIds: missing }))
      : judgeVersion(found)
  }
