/**
 * Sites as pins of a map.
 */
import type { Site } from "@solar-sites/http-node/client"
import type { Pin, Position } from "./Clusters.ts"

export type MappedSite = Site & Position

/** True for a site with latitude and longitude. */
export const isMapped = (site: Site): site is MappedSite => site.latitude !== null && site.longitude !== null

export const pinOf = ({ id, latitude, longitude, siteName }: MappedSite): Pin => ({
  id,
  latitude,
  longitude,
  label: siteName
})
