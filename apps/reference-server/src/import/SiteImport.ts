/**
 * Imports the sites of a file in two passes. The first one checks every row and changes nothing; the
 * second one stores the rows in steps.
 */
import {
  type AccessRefused,
  Caller,
  CurrentCaller,
  type PortfolioId,
  type RepositoryError,
  type SiteId,
  SiteRepository
} from "@solar-sites/core"
import { Effect } from "effect"
import type { Failure } from "../Failure.ts"
import type { Mapping } from "./Columns.ts"
import { claimSeed } from "./ImportIds.ts"
import type { ImportServices } from "./ImportServices.ts"
import { makePortfolioNames } from "./PortfolioNames.ts"
import { eachStep, type ReadRow, readTableHeader } from "./RowSteps.ts"
import type { SiteRow } from "./SiteRows.ts"
import { type Counts, countsOf, makeChecks, type StoredSites, storeRows, sum, type ValidRow } from "./SiteSteps.ts"
import { type ImportFault, type TableSource, UnreadableTable } from "./Table.ts"
import { openTable, type ReadingEnded, type Table } from "./TableReader.ts"

const maximumFaults = 1_000

/**
 * An import that is recorded elsewhere. `seed` gives the ids of new sites. Rows up to `storedRow` are
 * stored; `counts` are theirs.
 */
interface ImportRun {
  readonly seed: string
  readonly storedRow: number
  readonly counts: Counts
}

/** `mappings` name the members of columns, for headers that do not. */
export interface ImportOptions {
  readonly mappings: ReadonlyArray<Mapping>
  readonly upsert: boolean
  /** The portfolio of new sites, unless their rows name one. */
  readonly portfolioId?: PortfolioId
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

const valid = (rows: ReadonlyArray<ReadRow>): ReadonlyArray<ValidRow> =>
  rows.flatMap(({ row, valid }) => (valid === null ? [] : [{ row, ...valid }]))

const recorded = ({ seed }: ImportRun) => Effect.succeed({ seed, release: Effect.void })

const changed = Effect.die(new Error("The file has changed while it was imported"))

const noSites: StoredSites = new Map()

const importTable = Effect.fnUntraced(function* (table: Table, options: ImportOptions) {
  const { dryRun, mappings, onProgress = () => Effect.void, run, upsert } = options
  const { idsByExternalId } = yield* SiteRepository
  const { organisationId, portfolioIds } = yield* CurrentCaller
  const faults = makeFaults()
  const claimed = run === undefined ? claimSeed(`${table.digest} ${JSON.stringify(mappings)}`) : recorded(run)
  const claim = dryRun ? null : yield* claimed
  const portfolioNames = yield* makePortfolioNames
  /** The sites of the file that are stored. */
  const known = new Map<string, SiteId>()

  /** The external ids of sites that a limited caller does not see. Nothing else of these sites is kept. */
  const hiddenOf = Effect.fnUntraced(function* (externalIds: ReadonlyArray<string>, stored: StoredSites) {
    if (portfolioIds === undefined || externalIds.length === 0) return new Set<string>()
    const whole = new Caller({ organisationId, userId: null, apiKeyId: null })
    const taken = yield* Effect.provideService(idsByExternalId(organisationId, externalIds), CurrentCaller, whole)
    return new Set([...taken.keys()].filter((externalId) => !stored.has(externalId)))
  })

  const lookUp = Effect.fnUntraced(function* (externalIds: ReadonlyArray<string>, portfolios: ReadonlyArray<string>) {
    const distinct = [...new Set(externalIds)]
    const stored = distinct.length === 0 ? noSites : yield* idsByExternalId(organisationId, distinct)
    const hidden = yield* hiddenOf(distinct, stored)
    if (upsert) for (const [externalId, id] of stored) known.set(externalId, id)
    return { stored, hidden, changeable: upsert ? stored : noSites, portfolioOf: yield* portfolioNames(portfolios) }
  })

  const check = Effect.gen(function* () {
    const header = yield* readTableHeader(table, options)
    faults.add(header.faults)
    let counts = none
    const checked = () => ({ header, counts })
    if (faults.any()) return checked()
    const column = header.columns.find(({ target }) => target === "externalId")?.header
    const duplicatesOf = makeDuplicates()
    const checkRows = yield* makeChecks({ columns: header.columns, seed: claim === null ? null : claim.seed })
    const checkStep = Effect.fnUntraced(function* (
      rows: ReadonlyArray<ReadRow>,
      named: { readonly stored: StoredSites; readonly hidden: ReadonlySet<string> }
    ) {
      faults.add(rows.flatMap((row) => [...row.faults, ...duplicatesOf(row, column ?? "")]))
      const { faults: more, results } = yield* checkRows(valid(rows), named)
      faults.add(more)
      counts = sum(counts, countsOf(results))
      yield* onProgress("check", rows.at(-1)?.row ?? 0, run?.counts ?? none)
    })
    yield* eachStep(table, header, lookUp, checkStep)
    return checked()
  })
  const checked = yield* Effect.catchIf(
    check,
    (error) => error instanceof UnreadableTable,
    ({ fault }) => Effect.sync(() => void faults.add([fault]))
  )
  if (checked === undefined || faults.any()) return { ...none, ...faults.result(), dryRun }
  const { counts: foreseen, header } = checked
  if (claim === null) return { ...foreseen, ...faults.result(), dryRun }

  const { storedRow, ...before } = run ?? { counts: none, storedRow: 0 }
  let counts = before.counts
  const lookUpAgain = (_: ReadonlyArray<string>, portfolios: ReadonlyArray<string>) =>
    Effect.map(portfolioNames(portfolios), (portfolioOf) => ({ changeable: known, portfolioOf }))
  const storeStep = Effect.fnUntraced(function* (rows: ReadonlyArray<ReadRow>) {
    const valids = valid(rows)
    if (valids.length < rows.length) return yield* changed
    const remaining = valids.filter(({ row }) => row > storedRow)
    if (remaining.length === 0) return
    counts = sum(counts, yield* storeRows(remaining, claim.seed))
    yield* onProgress("store", rows.at(-1)?.row ?? 0, counts)
  })
  yield* Effect.catchIf(
    eachStep(table, header, lookUpAgain, storeStep),
    (error) => error instanceof UnreadableTable,
    () => changed
  )
  yield* claim.release
  return { ...counts, ...faults.result(), dryRun }
})

/**
 * Imports a file for the caller. A file that cannot be read is a fault too. After an error some rows
 * are stored; the same import can be repeated within a day and stores the others.
 */
export const importSites = (
  source: TableSource,
  options: ImportOptions
): Effect.Effect<
  ImportResult,
  AccessRefused | RepositoryError | Failure | ReadingEnded,
  ImportServices | CurrentCaller
> =>
  openTable(source).pipe(
    Effect.flatMap((table) => importTable(table, options)),
    Effect.catchIf(
      (error) => error instanceof UnreadableTable,
      ({ fault }) => Effect.succeed({ ...none, faults: [fault], faultCount: 1, dryRun: options.dryRun })
    ),
    Effect.scoped
  )
