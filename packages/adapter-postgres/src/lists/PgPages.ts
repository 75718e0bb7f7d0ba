/**
 * Lists in pages by keyset: with a search, conditions, and orders beside that of ids.
 *
 * A connection keeps each text it prepares, so there are few: the first given of `leading` and the
 * order stand in the text, and a condition that is tried on the ordered rows; all other conditions stand in
 * parameters that can be null. The first page and those after it have texts of their own: with an optional condition
 * the server could not start in the middle of the index.
 */
import {
  MaximumPageBytes,
  type Page,
  type RepositoryError,
  type SortedPageRequest,
  uncountedPageSize
} from "@solar-sites/core"
import { Effect } from "effect"
import { textOf } from "../client/PgJsonStatement.ts"
import type { PgParameter } from "../client/PgStatement.ts"
import { joined, type PgText, sql } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { boundedPageText, pageFromText, pageText } from "../tables/PageText.ts"
import { arrayText } from "../tables/SqlValues.ts"
import type { Table } from "../tables/Table.ts"
import { hasWords, isBehind, type PgCondition, type PgOrder, patternsOf } from "./PgConditions.ts"
import { headsOf, type PgReached } from "./PgReached.ts"

interface Listing<Model, Given extends keyof Model, By extends string> {
  readonly operation: string
  readonly table: Table<Model, Given>
  /** SQL of the rows, as `x`. */
  readonly from: PgText
  /** SQL where ids are found, as `x`. Default: `from`. */
  readonly idsFrom?: PgText
  /** False for the list of organisations. */
  readonly isOwned?: false
  /** Where a row belongs, of a list that can be limited to portfolios. */
  readonly reached?: PgReached
  /** The column of the id. Default: `id`. */
  readonly id?: string
  /** Orders beside that of ids. */
  readonly orders?: { readonly [Name in By]: PgOrder }
  /** Orders that need only the column `search`. */
  readonly searchOrders?: ReadonlyArray<string>
  /**
   * Conditions that split the table, so that each part has an index with all that a search needs.
   */
  readonly parts?: ReadonlyArray<string>
  /** Whether callers see a row as it is stored (`pageFromText`). */
  readonly isShownAsStored?: (row: string) => boolean
}

interface Request<By extends string> {
  readonly organisationId: string
  /** The list is limited to these portfolios. */
  readonly portfolioIds?: ReadonlyArray<string> | null
  readonly q?: string | undefined
  /** Conditions that an index can begin with; the first given one is expected to have one. */
  readonly leading?: ReadonlyArray<PgCondition>
  readonly others?: ReadonlyArray<PgCondition>
  readonly page: SortedPageRequest<string, By | "createdAt">
}

/**
 * Upper limits that stand in the text of a statement; larger pages have none. The server takes a
 * limit in a parameter for a tenth of all rows. It would plan each page anew with the actual limit,
 * which takes half as long as the page itself.
 */
const textLimits = [uncountedPageSize + 1, 101, 1_001]
const sortedTextLimits = [1_001]

export const pages = <
  Model extends { readonly id: string },
  Given extends Exclude<keyof Model, "id">,
  By extends string
>(
  { run }: PgClient["Service"],
  listing: Listing<Model, Given, By>
) => {
  const { from, idsFrom = from, isShownAsStored, operation, isOwned = true, parts = [], table } = listing
  const { reached, searchOrders = [] } = listing
  const idColumn = `x.${listing.id ?? "id"}`
  const orders: Readonly<Record<string, PgOrder>> = { ...listing.orders }
  const texts = new Map<string, PgText>()

  const statementOf = (request: Request<By>, maximumBytes: number) => {
    const { leading = [], organisationId, others = [], page, portfolioIds = null, q } = request
    const { after, limit, sort = { by: "id", order: "asc", value: null } } = page
    const parameters: Array<PgParameter> = []
    const parameter = (value: PgParameter, type: string): string => `$${parameters.push(value)}::${type}`
    // Their SQL is made with the text, which is known for all calls but the first.
    const conditions: Array<() => PgText | string> = []
    if (isOwned) parameter(organisationId, "uuid")
    const ofOrganisation = isOwned ? "x.organisation_id = $1::uuid" : "true"
    const count = parameter(limit + 1, "int")

    const lead = leading.find(({ value }) => value !== undefined)
    const costly = others.filter(({ isCostly, value }) => isCostly && value !== undefined)
    const rest = [...leading, ...others].filter((condition) => condition !== lead && !condition.isCostly)
    const isFiltered = rest.some(({ value }) => value !== undefined)
    if (lead !== undefined) {
      const given = parameter(lead.value ?? null, lead.type)
      conditions.push(() => lead.sql(given))
    }
    if (isFiltered) {
      for (const { sql: condition, type, value = null } of rest) {
        const given = parameter(value, type)
        conditions.push(() => sql`(${given} is null or ${condition(given)})`)
      }
    }
    const late = costly.map(({ sql: condition, type, value = null }) => {
      const given = parameter(value, type)
      return () => condition(given)
    })
    const idsReached =
      reached === undefined || portfolioIds === null ? undefined : parameter(arrayText(portfolioIds), "text::uuid[]")
    // Few rows meet an indexed condition. Otherwise the list is merged of those of each part of the reach, so that the
    // server reads no row outside of it, and of each part no more than a page.
    const isFew = lead !== undefined && lead.isSorted !== true
    const isMerged = idsReached !== undefined && !isFew
    if (idsReached !== undefined && isFew) {
      conditions.push(() => sql`x.${reached?.column ?? ""} in (${reached?.ids(idsReached) ?? ""})`)
    }
    if (q !== undefined) {
      const patterns = parameter(patternsOf(q), "text::text[]")
      conditions.push(() => hasWords(patterns))
    }
    const order = orders[sort.by]
    if (after !== null) {
      const id = parameter(after, "uuid")
      const value = order === undefined || sort.value === null ? null : parameter(String(sort.value), "text")
      conditions.push(() => isBehind(idColumn, order, sort.order, id, value))
    }

    const heads =
      isMerged && reached?.areFew === true && order === undefined && late.length === 0
        ? headsOf(limit + 1, portfolioIds?.length ?? 0)
        : null
    const isSorted = [...leading, ...others].some((one) => one.isSorted && one.value !== undefined)
    const isWithSort = order !== undefined || q !== undefined || isSorted
    const areIdsFirst = isWithSort || isMerged
    const textLimit = (isWithSort ? sortedTextLimits : textLimits).find((known) => limit < known)
    const isBounded = areIdsFirst || limit > uncountedPageSize
    const bytes = isBounded ? parameter(maximumBytes, "bigint") : ""

    const textOf = (): PgText => {
      const bound = textLimit === undefined || late.length > 0 ? "" : `limit ${textLimit}`
      const rows = (columns: string, source: PgText, further: ReadonlyArray<string>) => sql`
        select ${columns} from ${source}
        where ${joined([ofOrganisation, ...conditions.map((condition) => condition()), ...further], " and ")}`
      const select = (columns: string, source: PgText, further: ReadonlyArray<string>) => sql`
        ${rows(columns, source, further)}
        order by ${order === undefined ? "" : `${order.sql} ${sort.order}, `}${idColumn} ${sort.order} ${bound}`
      if (!areIdsFirst) {
        const found = sql`select * from (${select("x.*", from, [])}) y limit ${count}`
        return isBounded ? boundedPageText(table, found, bytes) : pageText(table, found)
      }
      // Postgres sorts null last in `asc` and first in `desc`, as the port does.
      const ordered = (row: string) =>
        `order by ${order === undefined ? "" : `${row}.value ${sort.order}, `}${row}.id ${sort.order}`
      const ids = (further: ReadonlyArray<string>) =>
        sql`(${select(`${idColumn} as id, ${order?.sql ?? "null"} as value`, idsFrom, further)})`
      const merged = (parts: PgText | string, column: string) => {
        const all = sql`select z.* from (${parts}) reached cross join lateral ${ids([`x.${column} = reached.id`])} z`
        return heads === null ? sql`(${all})` : sql`(${firstOf(parts, column, heads, all)})`
      }
      // The first rows of each part tell all up to the lowest last one of a part that has more.
      const firstOf = (parts: PgText | string, column: string, most: number, all: PgText) => {
        const { order: direction } = sort
        return sql`
          with head as materialized (
            select z.* from (${parts}) reached cross join lateral (
              select i.id, row_number() over (order by i.id ${direction}) as place
              from (${rows(`${idColumn} as id`, idsFrom, [`x.${column} = reached.id`])} order by ${idColumn} ${direction} limit ${most}) i
            ) z
          ),
          horizon as materialized (select h.id from head h where h.place = ${most} order by h.id ${direction} limit 1),
          near as materialized (
            select h.id from head h
            where h.id ${direction === "asc" ? "<=" : ">="} coalesce((select z.id from horizon z), h.id)
            order by h.id ${direction} limit ${count}
          ),
          enough as materialized (
            select (select count(*) from near) = ${count} or not exists (select from horizon) as is_enough
          )
          select n.id, null::text as value from near n where (select e.is_enough from enough e)
          union all
          select a.id, null::text as value from (${all}) a where not (select e.is_enough from enough e)`
      }
      const isSearchAlone = (q !== undefined && order === undefined) || searchOrders.includes(sort.by)
      const isSplit = isSearchAlone && !isFiltered && costly.length === 0 && lead === undefined && parts.length > 0
      const branches =
        reached !== undefined && idsReached !== undefined && isMerged
          ? [merged(reached.ids(idsReached), reached.column)]
          : isSplit
            ? parts.map((part) => ids([part]))
            : [ids([])]
      const inOrder = sql`select * from (${joined(branches, " union all ")}) y ${ordered("y")}`
      // The server tries the rows in order until it has enough of them.
      const tried = () => sql`
        select y.* from (${inOrder} offset 0) y cross join lateral (
          select x.* from ${from} where ${ofOrganisation} and ${idColumn} = y.id offset 0
        ) x
        where ${joined(
          late.map((condition) => condition()),
          " and "
        )} ${ordered("y")}`
      const found = sql`(${late.length === 0 ? inOrder : tried()} limit ${count}) f`
      return boundedPageText(
        table,
        sql`select r.* from ${found} cross join lateral (
          select x.* from ${from} where ${ofOrganisation} and ${idColumn} = f.id offset 0
        ) r ${ordered("f")}`,
        bytes
      )
    }
    // All else in the text follows from these.
    const given = [
      lead && leading.indexOf(lead),
      isFiltered,
      ...costly.map((condition) => `costly ${others.indexOf(condition)}`),
      q === undefined,
      after === null,
      areIdsFirst,
      isMerged,
      isFew && idsReached !== undefined,
      heads
    ]
    const form = [...given, sort.value === null, sort.by, sort.order, textLimit, isBounded].join(" ")
    const text = texts.get(form) ?? textOf()
    texts.set(form, text)
    return { text, parameters }
  }

  return (request: Request<By>, given: Pick<Model, Given>): Effect.Effect<Page<Model>, RepositoryError> => {
    const { organisationId, page, portfolioIds = null } = request
    const scope = isOwned ? { organisationId, portfolioIds } : ("none" as const)
    return Effect.flatMap(MaximumPageBytes, (bytes) => {
      const statement = { operation, ...statementOf(request, bytes), readOnly: true, scope }
      return Effect.map(run(statement), (rows) =>
        pageFromText(textOf(rows), { table, given, limit: page.limit, isShownAsStored })
      )
    })
  }
}
