/**
 * Immutable sites.
 */
import { Site } from "@solar-sites/core"

/** A frozen copy, including the members that are objects, which the constructor copies. */
export const frozenSite = (fields: Pick<Site, keyof Site>): Site => {
  const site = new Site(fields, { disableChecks: true })
  for (const value of [site.siteManager, site.tags, site.attributes]) Object.freeze(value)
  return Object.freeze(site)
}
