/**
 * Imports the sites of a file in two passes. The first one checks every row and changes nothing; the
 * second one stores the rows in steps. Memory does not grow with the file.
 */
import {
  CreateSite,
  type CurrentCaller,
  type IdempotencyStore,
  type Portfolios,
  type RepositoryError,
  type ScopeMissing,
  type Sites,
  UpdateSite
} from "@solar-sites/core"
import { Effect, Result, type SchemaIssue, SchemaParser, Stream } from "effect"
import type { Failure } from "../Failure.ts"
import { type Header, type Mapping, readHeader } from "./Columns.ts"
import { claimSeed } from "./ImportIds.ts"
import { makeRowReader, type SiteRow } from "./SiteRows.ts"
import {
  type Counts,
  countsOf,
  makeChecks,
  type SiteInput,
  type StoredSites,
  storedSites,
  storeRows,
  sum,
  type ValidRow
} from "./SiteSteps.ts"
import { type ImportFault, type Row, type Table, UnreadableTable } from "./Table.ts"

const rowsPerStep = 1_000
const maximumFaults = 1_000

/**
 * An import that is recorded elsewhere. `seed` gives the ids of new sites. Rows up to `storedRow` are
 * stored; `counts` are theirs.
 */
export interface ImportRun {
  readonly seed: string
  readonly storedRow: number
  readonly counts: Counts
}

/** `mappings` name the members of columns, for headers that do not. */
export interface ImportOptions {
  readonly mappings: ReadonlyArray<Mapping>
  readonly upsert: boolean
  readonly dryRun: boolean
  /** Runs after each step of a pass, with the number of its last row and the counts of stored rows. */
  readonly onProgress?: (
    pass: "check" | "store",
    row: number,
    counts: Counts
  ) => Effect.Effect<void, RepositoryError | Failure>
  /** Without it the seed is kept in the `IdempotencyStore` until the import succeeds. */
  readonly run?: ImportRun
}

/** `faults` are the first 1,000 of `faultCount`. With faults nothing was stored. */
export interface ImportResult extends Counts {
  readonly faults: ReadonlyArray<ImportFault>
  readonly faultCount: number
  readonly dryRun: boolean
}

const none: Counts = { created: 0, updated: 0, unchanged: 0 }

const parsing = { errors: "all", onExcessProperty: "error" } as const
const decodeNew = SchemaParser.decodeUnknownResult(CreateSite, parsing)
const decodeChange = SchemaParser.decodeUnknownResult(UpdateSite, parsing)

/** Collects faults, the first ones only. */
const makeFaults = () => {
  const faults: Array<ImportFault> = []
  let faultCount = 0
  const add = (more: ReadonlyArray<ImportFault>) => {
    faultCount += more.length
    faults.push(...more.slice(0, maximumFaults - faults.length))
  }
  return { add, result: () => ({ faults, faultCount }), any: () => faultCount > 0 }
}

/** Faults of an external id that an earlier row has. */
const makeDuplicates = () => {
  const rows = new Map<string, number>()
  return ({ externalId, row }: SiteRow<unknown>, column: string): ReadonlyArray<ImportFault> => {
    if (externalId === null) return []
    const first = rows.get(externalId)
    if (first === undefined) rows.set(externalId, row)
    return first === undefined ? [] : [{ row, column, code: "duplicate", detail: `is in row ${first} too` }]
  }
}

async function* inSteps(rows: AsyncIterable<Row>): AsyncGenerator<ReadonlyArray<Row>> {
  let step: Array<Row> = []
  for await (const row of rows) {
    if (step.push(row) < rowsPerStep) continue
    yield step
    step = []
  }
  if (step.length > 0) yield step
}

const required = ["siteName", "capacity", "unit"]

const unreadable = (cause: unknown): UnreadableTable => {
  if (cause instanceof UnreadableTable) return cause
  // Errors of the file system are defects here: the file has been opened.
  throw cause
}

const readFirst = Effect.fnUntraced(function* (table: Table, { mappings, upsert }: ImportOptions) {
  const first = yield* Effect.tryPromise({
    try: async () => {
      for await (const row of table.rows()) return row
      throw new UnreadableTable("empty_file", "has no rows")
    },
    catch: unreadable
  })
  return { row: first.row, ...readHeader(first, mappings, upsert ? [] : required) }
})

type ReadRow = SiteRow<SiteInput>

/** Reads the rows below the header once, in steps. */
const eachStep = <E, R>(
  table: Table,
  header: Header & { readonly row: number },
  stored: StoredSites,
  onStep: (rows: ReadonlyArray<ReadRow>) => Effect.Effect<void, E, R>
): Effect.Effect<void, E | UnreadableTable, R> => {
  const read = makeRowReader(header, table.hasCommaDecimals, (members): Result.Result<SiteInput, SchemaIssue.Issue> => {
    const { externalId = null } = members
    const site = typeof externalId === "string" ? stored.get(externalId.normalize("NFC")) : undefined
    return site === undefined
      ? Result.map(decodeNew(members), (input) => ({ stored: null, input }))
      : Result.map(decodeChange(members), (input) => ({ stored: site, input }))
  })
  return Stream.fromAsyncIterable(inSteps(table.rows()), unreadable).pipe(
    Stream.runForEach((rows) => onStep(rows.filter(({ row }) => row > header.row).map(read)))
  )
}

const valid = (rows: ReadonlyArray<ReadRow>): ReadonlyArray<ValidRow> =>
  rows.flatMap(({ row, valid }) => (valid === null ? [] : [{ row, ...valid }]))

const recorded = ({ seed }: ImportRun) => Effect.succeed({ seed, release: Effect.void })

const changed = Effect.die(new Error("The file has changed while it was imported"))

/**
 * Imports a file for the caller. A file that cannot be read is a fault too. After an error some rows
 * are stored; the same import can be repeated within a day and stores the others.
 */
export const importSites = Effect.fnUntraced(function* (
  table: Table,
  options: ImportOptions
): Effect.fn.Return<
  ImportResult,
  RepositoryError | ScopeMissing | Failure,
  Sites | Portfolios | IdempotencyStore | CurrentCaller
> {
  const { dryRun, mappings, onProgress = () => Effect.void, run, upsert } = options
  const faults = makeFaults()
  const claimed = run === undefined ? claimSeed(`${table.digest} ${JSON.stringify(mappings)}`) : recorded(run)
  const claim = dryRun ? null : yield* claimed

  const check = Effect.gen(function* () {
    const header = yield* readFirst(table, options)
    faults.add(header.faults)
    const column = header.columns.find(({ target }) => target === "externalId")?.header
    const stored: StoredSites = column === undefined ? new Map() : yield* storedSites
    const changeable: StoredSites = upsert ? stored : new Map()
    let counts = none
    const checked = () => ({ header, changeable, counts })
    if (faults.any()) return checked()
    const duplicatesOf = makeDuplicates()
    const checkRows = yield* makeChecks({ columns: header.columns, stored, seed: claim === null ? null : claim.seed })
    const checkStep = Effect.fnUntraced(function* (rows: ReadonlyArray<ReadRow>) {
      const found = rows.flatMap((row) => [...row.faults, ...duplicatesOf(row, column ?? "")])
      faults.add(found)
      const { faults: more, results } = yield* checkRows(valid(rows))
      faults.add(more)
      counts = sum(counts, countsOf(results))
      yield* onProgress("check", rows.at(-1)?.row ?? 0, run?.counts ?? none)
    })
    yield* eachStep(table, header, changeable, checkStep)
    return checked()
  })
  const checked = yield* Effect.catchIf(
    check,
    (error) => error instanceof UnreadableTable,
    ({ fault }) => Effect.sync(() => void faults.add([fault]))
  )
  if (checked === undefined || faults.any()) return { ...none, ...faults.result(), dryRun }
  const { changeable, counts: foreseen, header } = checked
  if (claim === null) return { ...foreseen, ...faults.result(), dryRun }

  const { storedRow, ...before } = run ?? { counts: none, storedRow: 0 }
  let counts = before.counts
  const storeStep = Effect.fnUntraced(function* (rows: ReadonlyArray<ReadRow>) {
    const valids = valid(rows)
    if (valids.length < rows.length) return yield* changed
    const remaining = valids.filter(({ row }) => row > storedRow)
    if (remaining.length === 0) return
    counts = sum(counts, yield* storeRows(remaining, claim.seed))
    yield* onProgress("store", rows.at(-1)?.row ?? 0, counts)
  })
  yield* Effect.catchIf(
    eachStep(table, header, changeable, storeStep),
    (error) => error instanceof UnreadableTable,
    () => changed
  )
  yield* claim.release
  return { ...counts, ...faults.result(), dryRun }
})
