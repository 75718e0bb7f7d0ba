/** The import of sites from a file. */
import { formatBytes, formatNumber } from "../formats.ts"

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${formatNumber(count)} ${many}`
const sitesOf = (count: number): string => counted(count, "site", "sites")

export const importTexts = {
  title: "Import sites",
  description: "From a CSV file or an XLSX workbook. Nothing is stored until every row is valid.",
  back: "Sites",
  drop: "Drop a file here, or",
  choose: "Choose a file",
  template: "Download a template",
  templateFile: "sites to import.csv",
  chooseOther: "Choose another file",
  limit: (bytes: number) =>
    `CSV or XLSX (the first sheet), at most ${formatBytes(bytes)}. The first row names the columns.`,
  dropOnPage: "Drop to import",
  tooLarge: (name: string, bytes: number) =>
    `${name} has more than ${formatBytes(bytes)}. Split the file, or import it with the command solar-sites import.`,
  oneFile: "Choose one file at a time.",
  unreadable: "The file cannot be read",
  columns: "Columns",
  columnsHint: "Say what each column holds. Suggestions are marked; look whether they are right.",
  table: "Columns of the file",
  heads: { column: "Column", samples: "First values", member: "Holds" },
  holds: (header: string) => `Member for ${header}`,
  attributeName: (header: string) => `Name of the attribute for ${header}`,
  undecided: "Choose…",
  attribute: "An attribute",
  leaveOut: "Leave out",
  suggested: "Suggested",
  chooseMember: "Choose a member, or leave the column out.",
  restAsAttributes: "Keep the others as attributes",
  restOut: "Leave the others out",
  members: {
    siteName: "Name",
    capacity: "Capacity",
    unit: "Unit",
    address: "Address",
    latitude: "Latitude",
    longitude: "Longitude",
    portfolio: "Portfolio (external id or name)",
    portfolioId: "Portfolio (id)",
    coverImageUrl: "Cover image (address)",
    externalId: "External id",
    tags: "Tags",
    attributes: "All attributes (JSON)",
    "siteManager.name": "Site manager: name",
    "siteManager.email": "Site manager: e-mail",
    "siteManager.phone": "Site manager: phone",
    "siteManager.company": "Site manager: company",
    "siteManager.userId": "Site manager: user id"
  } as Readonly<Record<string, string>>,
  upsert: "Change sites that exist",
  upsertHint: "A row changes the site with its external id. Otherwise such a row is a fault.",
  check: "Check the file",
  checked: "Check",
  checkFailed: "The file was not checked",
  would: (created: number, updated: number, unchanged: number) =>
    `${sitesOf(created)} to create, ${formatNumber(updated)} to change, ${formatNumber(unchanged)} unchanged.`,
  faultCount: (count: number) =>
    `${counted(count, "fault", "faults")}. Nothing was stored; mend the file and choose it again.`,
  shownFaults: (shown: number, count: number) =>
    shown < count ? `The first ${formatNumber(shown)} are shown; the report has the first 1,000.` : "",
  faults: "Faults",
  faultHeads: { row: "Row", column: "Column", code: "Code", detail: "What is wrong" },
  report: "Download the report",
  faultyFile: "Download the file with its faults",
  faultyFileName: (name: string) => `${name} with faults.csv`,
  faultyFileFailed: "The file was not made",
  start: (count: number) => `Import ${sitesOf(count)}`,
  nothing: "Every row is stored already as it is in the file.",
  startFailed: "The import was not started",
  recent: "Latest imports",
  recentTable: "Latest imports",
  recentHeads: { file: "File", state: "State", result: "Result", started: "Started" },
  states: { running: "Running", completed: "Completed", failed: "Not completed", stopped: "Interrupted" },
  stopped: "The server was stopped.",
  checking: (row: number) => (row === 0 ? "Checking" : `Checking, row ${formatNumber(row)}`),
  progress: (row: number, rows: number) => `Row ${formatNumber(row)} of ${formatNumber(rows)} stored`,
  progressOf: (name: string) => `Progress of ${name}`,
  result: (created: number, updated: number, unchanged: number) =>
    `${formatNumber(created)} created, ${formatNumber(updated)} changed, ${formatNumber(unchanged)} unchanged`,
  partly: (row: number) => (row === 0 ? "Nothing is stored." : `Rows up to ${formatNumber(row)} are stored.`),
  continue: "Continue",
  continueNamed: (name: string) => `Choose ${name} again to continue its import`,
  otherFile: (name: string) => `This is not the file that was imported as ${name}, or it has changed since.`,
  continueFailed: "The import was not continued",
  goesOn: "The import goes on when this page is closed.",
  showSites: "Show the sites"
}
