/** Parts that all lists share: search, order, pages, columns, selection, saved views. */
import { formatNumber } from "../formats.ts"

export const listTexts = {
  filters: "Filters",
  pages: "Pages of the list",
  firstPage: "First page",
  previousPage: "Previous page",
  nextPage: "Next page",
  placed: (total: string, from: number, to: number) => `${total}, ${formatNumber(from)}–${formatNumber(to)}`,
  range: (from: number, to: number) => `${formatNumber(from)} to ${formatNumber(to)}`,
  actions: "Actions",
  columns: "Columns",
  columnsHint: "Columns of the table",
  selected: (count: number, shown: number) =>
    shown === count
      ? `${formatNumber(count)} selected`
      : `${formatNumber(count)} selected, ${formatNumber(shown)} shown`,
  clearSelection: "Clear selection",
  views: "Saved views",
  viewName: "Name of the view",
  saveViewHint: "Search, filters and order are kept under this name, for you in this browser.",
  saveViewAction: "Save view",
  viewSaved: (name: string) => `The view ${name} was saved.`,
  noViews: "No view is saved yet.",
  copyView: (name: string) => `Copy the link to the view ${name}`,
  viewCopied: (name: string) => `The link to the view ${name} was copied`,
  sharedViews: "Shared in the organisation",
  shareView: (name: string) => `Share the view ${name} with colleagues`,
  deleteView: (name: string) => `Delete the view ${name}`,
  progress: (done: number, total: number) => `${formatNumber(done)} of ${formatNumber(total)} done`,
  stop: "Stop",
  stopped: (left: number) => `Stopped: ${formatNumber(left)} not tried.`,
  failures: (count: number) => `${formatNumber(count)} failed:`,
  moreFailures: (count: number) => `and ${formatNumber(count)} more`
}
