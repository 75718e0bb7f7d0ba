/**
 * Reads the rows of a file in steps: their cells, what these name, and their values by the schemas of
 * the API.
 */
import { CreateSite, type PortfolioId, type SiteId, UpdateSite } from "@solar-sites/core"
import { Effect, Option, Result, type SchemaIssue, SchemaParser, Stream } from "effect"
import { type Column, type Header, type Mapping, readHeader } from "./Columns.ts"
import type { NumberColumn } from "./NumberColumns.ts"
import type { NamedPortfolio } from "./PortfolioNames.ts"
import { type Members, makeRowReader, type SiteRow, type UnresolvedRow } from "./SiteRows.ts"
import type { SiteInput, StoredSites } from "./SiteSteps.ts"
import { UnreadableTable } from "./Table.ts"
import type { Table } from "./TableReader.ts"

// Other work of the process goes on between turns.
const rowsPerTurn = 100

const required = ["siteName", "capacity", "unit"]
const coordinates = ["latitude", "longitude"]
const numbers = ["capacity", ...coordinates]

const parsing = { errors: "all", onExcessProperty: "error" } as const
const decodeNew = SchemaParser.decodeUnknownResult(CreateSite, parsing)
const decodeChange = SchemaParser.decodeUnknownResult(UpdateSite, parsing)

/** How the rows of a file are read. */
interface ReadOptions {
  readonly mappings: ReadonlyArray<Mapping>
  readonly upsert: boolean
  /** The portfolio of new sites, unless their rows name one. */
  readonly portfolioId?: PortfolioId
}

/** The header, the number of its row, and where a comma in a number is a decimal sign. */
export interface TableHeader extends Header, Pick<ReadOptions, "portfolioId"> {
  readonly row: number
  readonly hasCommaDecimals: (column: Column) => boolean
}

// A coordinate has no thousands, so a comma in it is a decimal sign.
const commaDecimals =
  (found: ReadonlyArray<NumberColumn> | null) =>
  ({ index, target }: Column): boolean =>
    found === null || found[index] === "commas" || (found[index] === "either" && coordinates.includes(target))

export const readTableHeader = Effect.fnUntraced(function* (
  { numberColumns, steps }: Table,
  { mappings, portfolioId, upsert }: ReadOptions
) {
  const first = Option.getOrUndefined(yield* Stream.runHead(steps))?.[0]
  if (first === undefined) return yield* Effect.fail(new UnreadableTable("empty_file", "has no rows"))
  const header = readHeader(first, mappings, upsert ? [] : required)
  const isNeeded = header.faults.length === 0 && header.columns.some(({ target }) => numbers.includes(target))
  const hasCommaDecimals = commaDecimals(isNeeded ? yield* numberColumns : null)
  const placed = portfolioId === undefined ? {} : { portfolioId }
  return { ...header, ...placed, row: first.row, hasCommaDecimals } satisfies TableHeader
})

export type ReadRow = SiteRow<SiteInput>

const placedIn = (members: Members, portfolioId: PortfolioId | undefined): Members =>
  portfolioId === undefined || (members["portfolioId"] ?? null) !== null ? members : { ...members, portfolioId }

const decodeRow =
  (stored: SiteId | undefined, portfolioId: PortfolioId | undefined) =>
  (members: Members): Result.Result<SiteInput, SchemaIssue.Issue> =>
    stored === undefined
      ? Result.map(decodeNew(placedIn(members, portfolioId)), (input) => ({ stored: null, input }))
      : Result.map(decodeChange(members), (input) => ({ stored, input }))

const inTurns = Effect.fnUntraced(function* <A, B>(items: ReadonlyArray<A>, read: (item: A) => B) {
  const done: Array<B> = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % rowsPerTurn === 0) yield* Effect.yieldNow
    done.push(read(item))
  }
  return done
})

/** What the rows of a step name. `changeable` are the sites that an import may change. */
export interface Named {
  readonly changeable: StoredSites
  readonly portfolioOf: (text: string) => NamedPortfolio
}

const filled = (texts: ReadonlyArray<string | null>) => texts.filter((text) => text !== null)

/** Reads the rows below the header once. */
export const eachStep = <N extends Named, E1, R1, E2, R2>(
  { steps }: Table,
  header: TableHeader,
  lookUp: (externalIds: ReadonlyArray<string>, portfolios: ReadonlyArray<string>) => Effect.Effect<N, E1, R1>,
  onStep: (rows: ReadonlyArray<ReadRow>, named: N) => Effect.Effect<void, E2, R2>
) => {
  const read = makeRowReader(header, header.hasCommaDecimals)
  return Stream.runForEach(steps, (step) =>
    Effect.gen(function* () {
      const rows: ReadonlyArray<UnresolvedRow> = yield* inTurns(
        step.filter(({ row }) => row > header.row),
        read
      )
      const named = yield* lookUp(
        filled(rows.map(({ externalId }) => externalId)),
        filled(rows.map(({ portfolio }) => portfolio))
      )
      const decoded = yield* inTurns(rows, ({ decode, externalId, portfolio }) =>
        decode(
          decodeRow(named.changeable.get(externalId ?? ""), header.portfolioId),
          portfolio === null ? null : named.portfolioOf(portfolio)
        )
      )
      yield* onStep(decoded, named)
    })
  )
}
