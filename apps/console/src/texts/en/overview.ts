/** The first page. */
import { formatNumber } from "../formats.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 site" : `${formatNumber(count)} sites`)

export const overviewTexts = {
  title: "Overview",
  totals: "Totals",
  sites: "Sites",
  capacity: "Capacity",
  toReview: "Documents to review",
  complete: "Complete sites",
  completeOf: (complete: number, sites: number) => `${formatNumber(complete)} of ${formatNumber(sites)}`,
  capacityByPortfolio: "Capacity by portfolio",
  portfolios: "All portfolios",
  otherPortfolios: (count: number) => (count === 1 ? "1 other portfolio" : `${formatNumber(count)} other portfolios`),
  withoutPortfolio: "In no portfolio",
  noCapacity: "There are no sites yet.",
  documents: "Documents by state",
  newestDocuments: "of the newest 100,000 documents",
  noDocuments: "There are no documents yet.",
  coverage: "Required documents",
  coverageLink: "Coverage",
  noRequirements: "No documents are required yet.",
  requirements: "Document requirements",
  incomplete: (count: number) => (count === 0 ? "All sites are complete." : `${sitesOf(count)} incomplete.`),
  toRenew: "Expired and expiring",
  validUntil: (day: string) => `until ${day}`,
  activity: "Latest activity",
  allActivity: "All activity",
  start: {
    title: "First steps",
    progress: (done: number, steps: number) => `${done} of ${steps} done`,
    done: "Done",
    open: "To do",
    hide: "Hide",
    sites: "Add your sites",
    sitesHint: "Create the first site, or import a list of them.",
    import: "Import sites from a file",
    requirements: "Require documents",
    requirementsHint: "Name the documents that each site must have. The coverage shows which are missing.",
    access: "Connect software and people",
    accessHint: "Create an API key, or invite the people of your organisation."
  },
  sample: {
    hint: "To look around first, load three portfolios with twelve sites and their documents.",
    load: "Load sample data",
    loaded: "The sample data was loaded.",
    failed: "The sample data was not loaded completely. Remove it, then load it again.",
    present: "This organisation contains sample data.",
    remove: "Remove sample data",
    removeTitle: "Remove the sample data?",
    removeHint:
      "The sites with the tag “sample”, all of their documents, and the sample portfolios with their requirements are deleted. Other sites stay.",
    removeAction: "Remove",
    removed: "The sample data was removed."
  }
}
