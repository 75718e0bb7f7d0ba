/**
 * What the list keeps of a selected site; there may be a hundred thousand.
 */
import type { Site } from "@solar-sites/http-node/client"

export type SelectedSite = Pick<Site, "id" | "siteName" | "portfolioId" | "tags" | "version">

export const toSelected = ({ id, portfolioId, siteName, tags, version }: SelectedSite): SelectedSite => ({
  id,
  portfolioId,
  siteName,
  tags,
  version
})
