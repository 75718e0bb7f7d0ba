/** The portfolios that sites are grouped by. */
import { formatCapacity } from "../capacity.ts"
import { formatNumber } from "../formats.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 site" : `${formatNumber(count)} sites`)

const portfoliosOf = (count: number): string => (count === 1 ? "1 portfolio" : `${formatNumber(count)} portfolios`)

export const portfolioTexts = {
  title: "Portfolios",
  filter: "Portfolio",
  any: "Any portfolio",
  noneFound: "No portfolio is called like this",
  create: "New portfolio",
  createTitle: (isOne: boolean) => (isOne ? "New portfolio" : "New portfolios"),
  several: "Several at once …",
  names: "Names",
  namesHint:
    "One name a line, up to 100. An external id may follow a tab, as in cells of a sheet. All are created, or none.",
  createAction: (count: number) => (count < 2 ? "Create portfolio" : `Create ${formatNumber(count)} portfolios`),
  created: (count: number) => `${formatNumber(count)} portfolios were created.`,
  createdOne: (name: string) => `${name} was created.`,
  openCreated: "Open it",
  line: (line: number, detail: string) => `Line ${formatNumber(line)}: ${detail}`,
  none: "There are no portfolios yet",
  noneHint: "A portfolio groups sites and adds up their capacity. A site is in one portfolio at most.",
  table: "Portfolios",
  columns: {
    name: "Name",
    externalId: "External id",
    sites: "Sites",
    capacity: "Capacity",
    createdAt: "Created",
    updatedAt: "Changed"
  },
  search: "Search by name or external id",
  totals: (portfolios: number, sites: number, capacityKw: number) =>
    `${portfoliosOf(portfolios)}, ${sitesOf(sites)}, ${formatCapacity(capacityKw)}`,
  shown: (shown: string, all: string | undefined) =>
    all === undefined ? `Shown: ${shown}` : `Shown: ${shown}. All: ${all}`,
  actions: (name: string) => `Actions for ${name}`,
  edit: "Edit …",
  delete: "Delete …",
  editTitle: (name: string) => `Edit ${name}`,
  name: "Name",
  externalIdHint: "Its id in another system, or empty. No two portfolios have the same.",
  saveAction: "Save",
  saved: (name: string) => `${name} was saved.`,
  conflict: (name: string) =>
    `It was changed meanwhile, and is called ${name}. Press the button again to save your changes all the same.`,
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteHint: (count: number) =>
    count === 0
      ? "There are no sites in it."
      : count === 1
        ? "Its site stays, in no portfolio."
        : `Its ${sitesOf(count)} stay, in no portfolio.`,
  deleteAction: "Delete portfolio",
  deleted: (name: string) => `${name} was deleted.`,
  chart: "Capacity by portfolio",
  chartHint: "The table below has the figures of every portfolio.",
  chartOthers: (count: number) => (count === 1 ? "1 other portfolio" : `${formatNumber(count)} other portfolios`),
  chartNone: "In no portfolio"
}
