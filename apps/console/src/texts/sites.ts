/** The sites of the organisation. */
import { formatNumber } from "./formats.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 site" : `${formatNumber(count)} sites`)
const documentsOf = (count: number): string => (count === 1 ? "1 document" : `${formatNumber(count)} documents`)

export const siteTexts = {
  title: "Sites",
  create: "New site",
  search: "Search by name or address",
  portfolioFilter: "Portfolio",
  allPortfolios: "All portfolios",
  noPortfolio: "In no portfolio",
  view: "View",
  asTable: "Table",
  asMap: "Map",
  columns: { siteName: "Name", address: "Address", capacityKw: "Capacity", portfolio: "Portfolio" },
  table: "Sites",
  count: sitesOf,
  found: (count: number, all: number) => `${formatNumber(count)} of ${sitesOf(all)}`,
  reading: (count: number) => `Reading sites: ${formatNumber(count)} so far`,
  incomplete: "Not all sites could be read",
  pages: "Pages of the table",
  pageControls: { first: "First page", previous: "Previous page", next: "Next page", last: "Last page" },
  page: (page: number) => `Page ${formatNumber(page)}`,
  range: (from: number, to: number) => `${formatNumber(from)} to ${formatNumber(to)}`,
  none: "There are no sites yet",
  noneHint: "A site is anything with more than one solar panel. Create the first one to see it here and on the map.",
  noneFound: "No site fits this",
  noneFoundHint: "Search for less, or look in all portfolios.",
  showAll: "Show all sites",
  actionsColumn: "Actions",
  actions: (name: string) => `Actions for ${name}`,
  open: "Open",
  edit: "Edit",
  delete: "Delete",
  select: (name: string) => `Select ${name}`,
  selectPage: "Select all sites of this page",
  selected: (count: number) => `${sitesOf(count)} selected`,
  selectFound: (count: number) => `Select all ${sitesOf(count)} found`,
  clearSelection: "Clear selection",
  move: "Move to …",
  moveTitle: (count: number) => `Move ${sitesOf(count)}`,
  moveHint: "All of them move, or none.",
  moveTo: "Portfolio to move to",
  moveAction: "Move",
  moved: (count: number, name: string) => `${sitesOf(count)} moved to ${name}.`,
  takeOut: "Take out",
  takeOutTitle: (count: number, name: string) => `Take ${sitesOf(count)} out of ${name}`,
  takeOutHint: "The sites stay, in no portfolio. All of them are taken out, or none.",
  takenOut: (count: number, name: string) => `${sitesOf(count)} taken out of ${name}.`,
  takeOutNeedsOne: "To take sites out, select sites of one portfolio only.",
  tooManySelected: (maximum: number) => `At most ${sitesOf(maximum)} can be moved at once.`,
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
