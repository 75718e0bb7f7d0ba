/** The page of one portfolio. */
import { formatNumber } from "../formats.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 site" : `${formatNumber(count)} sites`)

export const portfolioPageTexts = {
  back: "All portfolios",
  notFoundTitle: "There is no such portfolio",
  notFound: "It may have been deleted.",
  toPortfolios: "To the portfolios",
  edit: "Edit",
  delete: "Delete",
  totals: "Totals",
  sites: "Sites",
  capacity: "Capacity",
  externalId: "External id",
  createdAt: "Created",
  updatedAt: "Changed",
  unknown: "–",
  coverage: "Required documents",
  matrix: "Open coverage",
  noRequirements: "No documents are required of these sites.",
  requirements: "Choose the required documents",
  complete: (complete: number, all: number) => `${formatNumber(complete)} of ${sitesOf(all)} complete.`,
  noSites: "There are no sites in this portfolio",
  noSitesHint: "Add sites, or choose the portfolio in the form of a site.",
  add: "Add sites",
  addTitle: (name: string) => `Add sites to ${name}`,
  addHint: "Search by name, address or external id. Sites of another portfolio move here.",
  addAction: (count: number) => (count === 0 ? "Add sites" : `Add ${sitesOf(count)}`),
  added: (count: number, name: string) => `${sitesOf(count)} added to ${name}.`,
  noneFound: "No other site fits this"
}
