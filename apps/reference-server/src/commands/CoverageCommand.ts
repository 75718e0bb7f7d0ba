/** `solar-sites coverage`: a report on the documents that sites need. */
import {
  CalendarDate,
  Caller,
  Coverage,
  CurrentCaller,
  csvLine,
  type List,
  Organisations,
  PortfolioId,
  type SiteCoverage
} from "@solar-sites/core"
import { Console, DateTime, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { ExitStatus, Failure } from "../Failure.ts"
import { printExpiry } from "./ExpiryOutput.ts"
import { flag, json, organisation, toggle } from "./Input.ts"
import { printCsv, table } from "./Output.ts"
import { withServices } from "./Services.ts"

const portfolio = flag("portfolio", "ID", "Only the sites of this portfolio", PortfolioId).pipe(Flag.optional)

const csv = toggle("csv", "Print CSV with one line per site and required document")

const expiring = toggle(
  "expiring",
  "Print what has expired, expires or is missing, with documents that no requirement names; exit status 3 when something has expired"
)

/** Exit status when something has expired. */
const expiredStatus = 3

const columns = [
  "siteId",
  "siteName",
  "portfolioId",
  "complete",
  "documentType",
  "state",
  "documentId",
  "validUntil"
] as const

type Row = Readonly<Record<(typeof columns)[number], string | null>>

const noItem = { documentType: null, state: null, documentId: null, validUntil: null }

/** One row per item; a site without requirements has one row without an item. */
const rowsOf = ({ complete, items, portfolioId, siteId, siteName }: SiteCoverage): ReadonlyArray<Row> => {
  const site = { siteId, siteName, portfolioId, complete: String(complete) }
  return items.length === 0 ? [{ ...site, ...noItem }] : items.map((item) => ({ ...site, ...item }))
}

const csvOf = (sites: ReadonlyArray<SiteCoverage>): ReadonlyArray<string> =>
  sites.flatMap(rowsOf).map((row) => csvLine(columns.map((column) => row[column])))

const textOf = (sites: ReadonlyArray<SiteCoverage>): string =>
  table(
    sites.flatMap(rowsOf).map(({ documentType, siteName, state, validUntil }) => ({
      site: siteName,
      documentType: documentType ?? "",
      state: state ?? "",
      validUntil: validUntil ?? ""
    })),
    "There are no such sites."
  )

/** Calls `onPage` with each page, so that a report of any length needs little memory. */
const eachPage = Effect.fnUntraced(function* <R>(
  query: Parameters<Coverage["Service"]["list"]>[0],
  onPage: (sites: ReadonlyArray<SiteCoverage>, isFirst: boolean) => Effect.Effect<void, never, R>
) {
  const { list } = yield* Coverage
  let cursor: string | null = null
  let isFirst = true
  do {
    const page: List<SiteCoverage> = yield* list({ ...query, limit: 1_000, ...(cursor === null ? {} : { cursor }) })
    yield* onPage(page.data, isFirst)
    cursor = page.nextCursor
    isFirst = false
  } while (cursor !== null)
})

const printCoverage = Effect.fnUntraced(function* (
  query: Parameters<Coverage["Service"]["list"]>[0],
  format: "json" | "csv" | "table"
) {
  if (format === "json") {
    // One document in several lines.
    yield* Console.log('{"data":[')
    yield* eachPage(query, (sites, isFirst) => {
      const items = JSON.stringify(sites).slice(1, -1)
      return items === "" ? Effect.void : Console.log(isFirst ? items : `,${items}`)
    })
    return yield* Console.log("]}")
  }
  if (format === "csv") {
    yield* printCsv([csvLine(columns)])
    return yield* eachPage(query, (sites) => printCsv(csvOf(sites)))
  }
  const { data } = yield* Coverage.use(({ list }) => list(query))
  yield* Console.log(textOf(data))
}, Effect.provide(Coverage.layer))

export const coverage = Command.make(
  "coverage",
  { organisation, portfolio, expiring, json, csv },
  Effect.fnUntraced(
    function* ({ csv, expiring, json, organisation, portfolio }) {
      if (csv && json) return yield* new Failure({ message: "Give --json or --csv, not both." })
      const { id: organisationId } = yield* Organisations.use(({ get }) => get(organisation))
      const asOf = CalendarDate.make(DateTime.formatIsoDateUtc(yield* DateTime.now))
      const query = { asOf, ...(Option.isSome(portfolio) ? { portfolioId: portfolio.value } : {}) }
      const format = json ? "json" : csv ? "csv" : "table"
      const report = Effect.gen(function* () {
        if (expiring) return yield* printExpiry({ ...query, format })
        yield* printCoverage(query, format)
        return false
      })
      const caller = new Caller({ organisationId, userId: null, apiKeyId: null })
      return yield* Effect.provideService(report, CurrentCaller, caller)
    },
    withServices,
    Effect.flatMap((hasExpired) => (hasExpired ? new ExitStatus({ code: expiredStatus }) : Effect.void))
  )
).pipe(Command.withDescription("Report which sites have the documents that they need, today (UTC)"))
