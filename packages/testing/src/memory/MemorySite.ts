/**
 * Immutable sites.
 */
import { changedSite as changeSite, Site, type SiteChanges } from "@solar-sites/core"
import type { DateTime } from "effect"

/** A frozen copy, including the members that are objects, which the constructor copies. */
export const frozenSite = (fields: Pick<Site, keyof Site>): Site => {
  const site = new Site(fields, { disableChecks: true })
  for (const value of [site.siteManager, site.tags, site.attributes]) Object.freeze(value)
  return Object.freeze(site)
}

/** The changed site; the same instance when all values are equal. */
export const changedSite = (site: Site, changes: SiteChanges, at: DateTime.Utc): Site => {
  const next = changeSite(site, changes, at)
  return next === site ? site : frozenSite(next)
}

/** True for sites that are too large for one step (`SitesTooLarge`). */
export const areTooLarge = (sites: ReadonlyArray<Site>, maximumBytes: number): boolean =>
  sites.reduce((sum, { attributes }) => sum + Buffer.byteLength(JSON.stringify(attributes)), 0) > maximumBytes
