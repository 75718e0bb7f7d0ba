/**
 * Immutable sites.
 */
import { capacityKw, Site, type SiteChanges } from "@solar-sites/core"
import { type DateTime, Equal } from "effect"

/** A frozen copy, including the site manager, which the constructor copies. */
export const frozenSite = (fields: Pick<Site, keyof Site>): Site => {
  const site = new Site(fields, { disableChecks: true })
  Object.freeze(site.siteManager)
  return Object.freeze(site)
}

/** The changed site; the same instance when all values are equal. */
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
