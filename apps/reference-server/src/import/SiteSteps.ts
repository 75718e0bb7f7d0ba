/**
 * Checks and stores the rows of a step against the sites and portfolios of the caller.
 */
import { isDeepStrictEqual } from "node:util"
import {
  type CreateSite,
  CurrentCaller,
  type PortfolioId,
  Portfolios,
  type RepositoryError,
  type SiteId,
  Sites,
  siteMembers,
  type UpdateSite,
  withoutOwnCover
} from "@solar-sites/core"
import { Effect } from "effect"
import { Failure } from "../Failure.ts"
import { type Column, headerOf } from "./Columns.ts"
import { idOfRow, withIds } from "./ImportIds.ts"
import type { ImportFault } from "./Table.ts"

// Concurrent calls share statements.
const concurrency = 50

/** Ids of sites by their external id. */
export type StoredSites = ReadonlyMap<string, SiteId>

/** `hidden` are external ids of sites that the caller does not see. */
interface Existing {
  readonly stored: StoredSites
  readonly hidden: ReadonlySet<string>
}

/** What the schema of the API accepts: a new site, or changes of a stored one. */
export type SiteInput =
  | { readonly stored: null; readonly input: CreateSite }
  | { readonly stored: SiteId; readonly input: UpdateSite }

export type ValidRow = SiteInput & { readonly row: number }

export interface Counts {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

export const sum = (a: Counts, b: Counts): Counts => ({
  created: a.created + b.created,
  updated: a.updated + b.updated,
  unchanged: a.unchanged + b.unchanged
})

export const countsOf = (results: ReadonlyArray<keyof Counts>): Counts => {
  const counts = { created: 0, updated: 0, unchanged: 0 }
  for (const result of results) counts[result] += 1
  return counts
}

interface Step {
  readonly columns: ReadonlyArray<Column>
  /** The seed of the ids of new sites; null in a dry run, which creates none. */
  readonly seed: string | null
}

/** Finds what a schema cannot: missing portfolios, taken external ids, covers of other sites. */
export const makeChecks = Effect.fnUntraced(function* ({ columns, seed }: Step) {
  const sites = yield* Sites
  const portfolios = yield* Portfolios
  const { organisationId, portfolioIds } = yield* CurrentCaller
  const known = new Map<PortfolioId, boolean>()

  const exists = Effect.fnUntraced(function* (id: PortfolioId) {
    const before = known.get(id)
    if (before !== undefined) return before
    const found = yield* Effect.as(portfolios.get(id), true).pipe(
      Effect.catchTag("PortfolioNotFound", () => Effect.succeed(false))
    )
    known.set(id, found)
    return found
  })

  const faultsOf = Effect.fnUntraced(function* (each: ValidRow, { hidden, stored }: Existing) {
    const { input, row } = each
    const faults: Array<ImportFault> = []
    const refuse = (member: string, code: string, detail: string) =>
      faults.push({ row, column: headerOf(columns, [member]), code, detail })
    const portfolioId = input.portfolioId ?? null
    if (portfolioId !== null && !(yield* exists(portfolioId))) {
      refuse("portfolioId", "portfolio_not_found", "is no portfolio of this organisation")
    }
    const isUnplaced = portfolioId === null && (each.stored === null || input.portfolioId === null)
    if (isUnplaced && portfolioIds !== undefined) {
      refuse("portfolioId", "portfolio_required", "must name one of the portfolios that the caller is limited to")
    }
    const taken = each.stored === null ? stored.get(input.externalId ?? "") : undefined
    // A repeated import finds the sites of its first attempt.
    if (taken !== undefined && (seed === null || taken !== idOfRow(seed, row))) {
      refuse("externalId", "external_id_taken", `is the external id of the site ${taken}`)
    }
    if (each.stored === null && hidden.has(input.externalId ?? "")) {
      refuse("externalId", "external_id_taken", "is the external id of another site")
    }
    yield* Effect.catch(withoutOwnCover(organisationId, each.stored, input), ({ faults: [fault] }) =>
      Effect.sync(() => refuse("coverImageUrl", fault.code, fault.detail))
    )
    return faults
  })

  /** What storing the row would do. */
  const outcomeOf = Effect.fnUntraced(function* (each: ValidRow) {
    const { stored: id } = each
    if (id === null) return "created"
    const changes = yield* Effect.orDie(withoutOwnCover(organisationId, id, each.input))
    const site = yield* Effect.catchTag(sites.get(id), "SiteNotFound", () => Effect.succeed(null))
    const isEqual = siteMembers.every((name) => !(name in changes) || isDeepStrictEqual(changes[name], site?.[name]))
    return isEqual ? "unchanged" : "updated"
  })

  return Effect.fnUntraced(function* (rows: ReadonlyArray<ValidRow>, existing: Existing) {
    const faults = (yield* Effect.forEach(rows, (row) => faultsOf(row, existing), { concurrency })).flat()
    const counted = seed === null && faults.length === 0
    return { faults, results: counted ? yield* Effect.forEach(rows, outcomeOf, { concurrency }) : [] }
  })
})

/** Stores new sites, then changes, each all or none. */
const storeStep = Effect.fnUntraced(function* (rows: ReadonlyArray<ValidRow>, seed: string) {
  const { bulk } = yield* Sites
  const created = rows.flatMap(({ input, row, stored }) => (stored === null ? [{ row, site: input }] : []))
  const changed = rows.flatMap(({ input, stored }) => {
    const { externalId = null } = input
    return stored === null || externalId === null ? [] : [{ ...input, externalId }]
  })
  let counts = countsOf([])
  if (created.length > 0) {
    const sites = created.map(({ site }) => site)
    const ids = created.map(({ row }) => idOfRow(seed, row))
    counts = sum(counts, (yield* withIds(ids)(bulk({ mode: "create", sites, dryRun: false }))).summary)
  }
  if (changed.length > 0) {
    counts = sum(counts, (yield* bulk({ mode: "upsert", sites: changed, dryRun: false })).summary)
  }
  return counts
})

type StepError = Effect.Error<ReturnType<typeof storeStep>>

const isTooLarge = (error: StepError): boolean =>
  error._tag === "ValidationFailed" && error.faults.some(({ code }) => code === "too_large")

/**
 * Stores the rows of a step, in halves when its stored sites are too large for one: rows that are
 * stored a second time change nothing. A change that another caller has made since the check ends the
 * import.
 */
export const storeRows = (
  rows: ReadonlyArray<ValidRow>,
  seed: string
): Effect.Effect<Counts, Failure | RepositoryError, Sites | CurrentCaller> =>
  Effect.catch(storeStep(rows, seed), (error) => {
    if (error._tag === "RepositoryError") return Effect.fail(error)
    const half = rows.length >> 1
    if (half > 0 && isTooLarge(error)) {
      return Effect.zipWith(storeRows(rows.slice(0, half), seed), storeRows(rows.slice(half), seed), sum)
    }
    const message = `The rows from ${rows[0]?.row} on cannot be stored any more: ${error.message}. Earlier rows are stored; repeat the import.`
    return Effect.fail(new Failure({ message }))
  })
