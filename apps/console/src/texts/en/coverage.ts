/** Coverage of required documents. */
import { formatNumber } from "../formats.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 site" : `${formatNumber(count)} sites`)

export const coverageTexts = {
  title: "Coverage",
  description: "The documents that each site must have.",
  matrix: "Required documents by site",
  site: "Site",
  complete: (complete: number, count: number) => `${formatNumber(complete)} of ${sitesOf(count)} complete`,
  stateFilter: "State",
  typeFilter: "Kind of document",
  asOf: "As of",
  otherDay: "Another day …",
  legend: "States",
  notRequired: "Not required",
  countOf: (documentType: string, state: string, count: number) => `${documentType}, ${state}: ${sitesOf(count)}`,
  until: (day: string) => `until ${day}`,
  cell: (site: string, documentType: string) => `${site}, ${documentType}: `,
  upload: "Upload",
  noneFound: "No site fits this",
  showAll: "Clear filters",
  noRequirements: "No documents are required",
  noRequirementsHint:
    "The requirements name the documents that every site, or every site of a portfolio, must have. This page then shows which are missing, expired or expiring.",
  requirements: "Document requirements"
}
