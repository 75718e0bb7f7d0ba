/** `solar-sites coverage --expiring`: what has expired, expires or is missing. */
import {
  type CalendarDate,
  Coverage,
  CurrentCaller,
  csvLine,
  type ExpiryItem,
  ExpiryReport,
  type PortfolioId,
  portfolioKind,
  Records
} from "@solar-sites/core"
import { Console, Effect, Layer } from "effect"
import { Failure } from "../Failure.ts"
import { printCsv, table } from "./Output.ts"

const columns = [
  "siteId",
  "siteName",
  "portfolioId",
  "portfolioName",
  "documentType",
  "state",
  "documentId",
  "validUntil"
] as const satisfies ReadonlyArray<keyof ExpiryItem>

/** Items in memory. Each further page reads the coverage of all sites again. */
const pageSize = 50_000
/** Items of one write. */
const chunkSize = 1_000

const chunksOf = (items: ReadonlyArray<ExpiryItem>): ReadonlyArray<ReadonlyArray<ExpiryItem>> =>
  Array.from({ length: Math.ceil(items.length / chunkSize) }, (_, index) =>
    items.slice(index * chunkSize, (index + 1) * chunkSize)
  )

export interface ExpiryOptions {
  readonly asOf: CalendarDate
  readonly portfolioId?: PortfolioId
  readonly format: "json" | "csv" | "table"
}

/** A misspelt portfolio must not look like one without anything to do. */
const requirePortfolio = Effect.fnUntraced(function* (id: PortfolioId) {
  const { organisationId } = yield* CurrentCaller
  const finds = [{ kind: portfolioKind, by: "id", values: [id] }]
  const found = yield* Records.use(({ load }) => load("ExpiryReport.page", organisationId, finds))
  if (found.byId(portfolioKind, id) === null) {
    return yield* new Failure({ message: `There is no portfolio with the id ${id}.` })
  }
})

const textOf = (items: ReadonlyArray<ExpiryItem>): string =>
  table(
    items.map(({ documentType, portfolioName, siteName, state, validUntil }) => ({
      state,
      validUntil: validUntil ?? "",
      documentType: documentType ?? "",
      site: siteName,
      portfolio: portfolioName ?? ""
    })),
    "Nothing has expired, nothing expires soon and nothing is missing."
  )

const jsonOf = (items: ReadonlyArray<ExpiryItem>): string =>
  items.map((item) => JSON.stringify(Object.fromEntries(columns.map((column) => [column, item[column]])))).join(",\n")

const print = Effect.fnUntraced(function* (
  format: ExpiryOptions["format"],
  items: ReadonlyArray<ExpiryItem>,
  isFirst: boolean
) {
  if (format === "table") return yield* isFirst || items.length > 0 ? Console.log(textOf(items)) : Effect.void
  for (const [index, chunk] of chunksOf(items).entries()) {
    if (format === "csv") yield* printCsv(chunk.map((item) => csvLine(columns.map((column) => item[column]))))
    else yield* Console.log(isFirst && index === 0 ? jsonOf(chunk) : `,${jsonOf(chunk)}`)
  }
})

/** Prints the list. Succeeds with true if something has expired. */
export const printExpiry = Effect.fnUntraced(
  function* ({ format, ...query }: ExpiryOptions) {
    if (query.portfolioId !== undefined) yield* requirePortfolio(query.portfolioId)
    const { page } = yield* ExpiryReport
    if (format === "json") yield* Console.log('{"data":[')
    if (format === "csv") yield* printCsv([csvLine(columns)])
    let after: ExpiryItem | null = null
    let hasExpired = false
    let rest = 0
    do {
      const found: Effect.Success<ReturnType<typeof page>> = yield* page({ ...query, after, limit: pageSize })
      yield* print(format, found.items, after === null)
      // What has expired comes first.
      hasExpired ||= found.items[0]?.state === "expired"
      after = found.items.at(-1) ?? null
      rest = found.rest
    } while (rest > 0)
    if (format === "json") yield* Console.log("]}")
    return hasExpired
  },
  Effect.provide(Layer.provide(ExpiryReport.layer, Coverage.layer))
)
