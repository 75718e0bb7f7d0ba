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
import { Failure } from "../Failure.ts"
import { flag, json, organisation } from "./Input.ts"
import { table } from "./Output.ts"
import { withServices } from "./Services.ts"

const portfolio = flag("portfolio", "ID", "Only the sites of this portfolio", PortfolioId).pipe(Flag.optional)

const csv = Flag.Boolean("csv").pipe(
  Flag.withDescription("Print CSV with one line per site and required document"),
  Flag.withDefault(false)
)

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

// RFC 4180 ends lines with CR LF; the console adds the last LF.
const printLines = (lines: ReadonlyArray<string>) =>
  lines.length === 0 ? Effect.void : Console.log(`${lines.join("\r\n")}\r`)

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

export const coverage = Command.make(
  "coverage",
  { organisation, portfolio, json, csv },
  Effect.fnUntraced(function* ({ csv, json, organisation, portfolio }) {
    if (csv && json) return yield* new Failure({ message: "Give --json or --csv, not both." })
    const { id: organisationId } = yield* Organisations.use(({ get }) => get(organisation))
    const asOf = CalendarDate.make(DateTime.formatIsoDateUtc(yield* DateTime.now))
    const query = { asOf, ...(Option.isSome(portfolio) ? { portfolioId: portfolio.value } : {}) }
    const caller = new Caller({ organisationId, userId: null, apiKeyId: null })
    const report = Effect.gen(function* () {
      if (json) {
        // One document in several lines.
        yield* Console.log('{"data":[')
        yield* eachPage(query, (sites, isFirst) => {
          const items = JSON.stringify(sites).slice(1, -1)
          return items === "" ? Effect.void : Console.log(isFirst ? items : `,${items}`)
        })
        return yield* Console.log("]}")
      }
      if (csv) {
        yield* printLines([csvLine(columns)])
        return yield* eachPage(query, (sites) => printLines(csvOf(sites)))
      }
      const { data } = yield* Coverage.use(({ list }) => list(query))
      yield* Console.log(textOf(data))
    })
    yield* report.pipe(Effect.provideService(CurrentCaller, caller), Effect.provide(Coverage.layer))
  }, withServices)
).pipe(Command.withDescription("Report which sites have the documents that they need, today (UTC)"))
