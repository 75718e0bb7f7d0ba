/**
 * Sites as memory keeps them: nobody outside can change one.
 */
import { capacityKw, Site, type SiteChanges } from "@solar-sites/core"
import { type DateTime, Equal } from "effect"

/** A copy that nobody outside can change, down to the site manager, whom the constructor copies too. */
export const frozenSite = (fields: Pick<Site, keyof Site>): Site => {
  const site = new Site(fields, { disableChecks: true })
  Object.freeze(site.siteManager)
  return Object.freeze(site)
}

/** The site after a change at `at`; the very same when it has all these values already. */
export const changedSite = (site: Site, changes: SiteChanges, at: DateTime.Utc): Site => {
  const next = { ...site, ...changes }
  if (Equal.equals({ ...site }, next)) return site
  return frozenSite({
    ...next,
    capacityKw: capacityKw(next.capacity, next.unit),
    updatedAt: at,
    version: site.version + 1
  })
}
