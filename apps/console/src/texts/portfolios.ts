/** The portfolios that sites are grouped by. */
import { formatNumber } from "./formats.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 site" : `${formatNumber(count)} sites`)

export const portfolioTexts = {
  title: "Portfolios",
  noneFound: "No portfolio is called like this",
  create: "New portfolios",
  createTitle: "New portfolios",
  names: "Names",
  namesHint: "One name a line, up to 100. All of them are created, or none.",
  createAction: (count: number) => (count < 2 ? "Create portfolio" : `Create ${formatNumber(count)} portfolios`),
  created: (count: number) =>
    count === 1 ? "1 portfolio was created." : `${formatNumber(count)} portfolios were created.`,
  line: (line: number, detail: string) => `Line ${formatNumber(line)}: ${detail}`,
  none: "There are no portfolios yet",
  noneHint: "A portfolio groups sites and adds up their capacity. A site is in one portfolio at most.",
  table: "Portfolios",
  columns: { name: "Name", sites: "Sites", capacity: "Capacity" },
  total: "Total",
  actions: (name: string) => `Actions for ${name}`,
  rename: "Rename …",
  delete: "Delete …",
  renameTitle: (name: string) => `Rename ${name}`,
  name: "Name",
  renameAction: "Rename",
  renamed: (name: string) => `It is called ${name} now.`,
  conflict: (name: string) =>
    `It was renamed to ${name} meanwhile. Press the button again to call it as you want all the same.`,
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
