/** The sites of the organisation. */
import { formatNumber } from "../formats.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 site" : `${formatNumber(count)} sites`)
const documentsOf = (count: number): string => (count === 1 ? "1 document" : `${formatNumber(count)} documents`)

export const siteTexts = {
  title: "Sites",
  create: "New site",
  import: "Import",
  search: "Search by name, address or external id",
  noPortfolio: "In no portfolio",
  showTable: "Show as table",
  showMap: "Show as map",
  asTable: "Table",
  asMap: "Map",
  tagFilter: "Tags",
  anyTag: "Any tag",
  unitFilter: "Unit",
  anyUnit: "Any unit",
  columns: {
    siteName: "Name",
    externalId: "External id",
    address: "Address",
    capacityKw: "Capacity",
    portfolio: "Portfolio",
    documents: "Documents",
    tags: "Tags",
    manager: "Site manager",
    createdAt: "Created",
    updatedAt: "Changed"
  },
  table: "Sites",
  count: sitesOf,
  countOfPage: (count: number) => `${sitesOf(count)} on this page`,
  none: "There are no sites yet",
  noneHint: "A site is anything with more than one solar panel. Create the first one to see it here and on the map.",
  noneFound: "No site fits this",
  noneFoundHint: "Search for less, or look in all portfolios.",
  showAll: "Show all sites",
  actions: (name: string) => `Actions for ${name}`,
  open: "Open",
  edit: "Edit",
  delete: "Delete",
  select: (name: string) => `Select ${name}`,
  selectPage: "Select all sites of this page",
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteWith: (count: number) =>
    count === 0
      ? "The site has no documents."
      : `${documentsOf(count)} of the site and ${count === 1 ? "its file" : "their files"} are deleted with it.`,
  deleteWithDocuments: "All documents of the site and their files are deleted with it.",
  noWayBack: "There is no way back.",
  deleteAction: "Delete site",
  deleted: (name: string) => `${name} was deleted.`
}
