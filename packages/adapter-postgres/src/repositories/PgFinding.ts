/**
 * Lists with a search, further conditions or another order than that of ids. Lists without them have
 * statements of their own (`PgPage`).
 *
 * A connection keeps each text it prepares, so there are few: the first given of `leading` and the
 * order stand in the text, all other conditions in parameters that can be null.
 */
import {
  MaximumPageBytes,
  type Page,
  type RepositoryError,
  type SortedPageRequest,
  searchedWords
} from "@solar-sites/core"
import { type DateTime, Effect } from "effect"
import type { PgParameter } from "../client/PgStatement.ts"
import { joined, type PgText, sql } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { boundedPageText, pageFromText } from "../tables/PageText.ts"
import { instant, toMilliseconds } from "../tables/SqlValues.ts"
import type { Table } from "../tables/Table.ts"
import { textOf } from "./PgJsonStatement.ts"

/** A condition on a row `x`. `value` is undefined when it is not given. */
export interface PgCondition {
  readonly value: PgParameter | undefined
  /** The type of its parameter. */
  readonly type: string
  readonly sql: (parameter: string) => PgText | string
}

/** How the value of an order is read from a row `x` and from a parameter. */
export interface PgOrder {
  readonly sql: string
  readonly parameter: (value: string) => string
  readonly isNullable?: true
}

interface Listing<Model, Given extends keyof Model, By extends string> {
  readonly operation: string
  readonly table: Table<Model, Given>
  /** The name of the table. */
  readonly from: PgText
  /** SQL of the rows of the page, given SQL of their ids. */
  readonly rows: (ids: PgText) => PgText
  /** Null for the order of ids. */
  readonly orders: { readonly [Name in By | "createdAt"]: PgOrder | null }
  /** Orders that need only the column `search`. */
  readonly searchOrders: ReadonlyArray<string>
  /**
   * Conditions that split the table, so that each part has an index with all that a search needs.
   */
  readonly parts: ReadonlyArray<string>
  readonly isShownAsStored?: (row: string) => boolean
}

interface Request<By extends string> {
  readonly organisationId: string
  readonly q: string | undefined
  /** Of these the first given one is expected to have an index. */
  readonly leading: ReadonlyArray<PgCondition>
  readonly others: ReadonlyArray<PgCondition>
  readonly page: SortedPageRequest<string, By>
}

// Upper limit in the text of a statement, as in `PgPage`.
const textLimit = 1_001

/** Text of an array of Postgres. */
export const arrayText = (values: ReadonlyArray<string>): string =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, "\\$&")}"`).join(",")}}`

/** Patterns of `like`. The longest word comes first: most rows fail it. */
const patternsOf = (q: string): string =>
  arrayText(
    searchedWords(q)
      .toSorted((a, b) => b.length - a.length)
      .map((word) => `%${word.replace(/[%_\\]/g, "\\$&")}%`)
  )

/** The name of a row, folded. */
export const byName: PgOrder = {
  sql: `split_part(x.search, E'\\n', 1)`,
  parameter: (value) => value
}

export const byUpdate: PgOrder = { sql: "x.updated_at", parameter: instant }

/** Updated after the instant. */
export const afterInstant = (given: DateTime.Utc | undefined): PgCondition => ({
  value: given === undefined ? undefined : toMilliseconds(given),
  type: "float8",
  sql: (value) => `x.updated_at > ${instant(value)}`
})

export const findPages = <
  Model extends { readonly id: string },
  Given extends Exclude<keyof Model, "id">,
  By extends string
>(
  { run }: PgClient["Service"],
  { from, isShownAsStored, operation, orders, parts, rows, searchOrders, table }: Listing<Model, Given, By>
) => {
  const texts = new Map<string, PgText>()

  const statementOf = ({ leading, organisationId, others, page, q }: Request<By>, bytes: number) => {
    const { after, limit, sort = { by: "createdAt" as const, order: "asc", value: null } } = page
    const parameters: Array<PgParameter> = [organisationId, limit + 1]
    const parameter = (value: PgParameter, type: string): string => `$${parameters.push(value)}::${type}`
    const order = orders[sort.by]
    const bound = limit < textLimit ? `limit ${textLimit}` : ""
    const comparison = sort.order === "asc" ? ">" : "<"

    const lead = leading.find(({ value }) => value !== undefined)
    const rest = [...leading, ...others].filter((condition) => condition !== lead)
    const isFiltered = rest.some(({ value }) => value !== undefined)
    const conditions: Array<PgText | string> = ["x.organisation_id = $1::uuid"]
    if (lead !== undefined) conditions.push(lead.sql(parameter(lead.value ?? null, lead.type)))
    if (isFiltered) {
      for (const { sql: condition, type, value = null } of rest) {
        const given = parameter(value, type)
        conditions.push(sql`(${given} is null or ${condition(given)})`)
      }
    }
    if (q !== undefined) conditions.push(`x.search like all (${parameter(patternsOf(q), "text::text[]")})`)
    if (after !== null) {
      const id = parameter(after, "uuid")
      if (order === null) conditions.push(`x.id ${comparison} ${id}`)
      else if (sort.value === null) {
        const isLater = `${order.sql} is null and x.id ${comparison} ${id}`
        conditions.push(sort.order === "asc" ? isLater : `(${isLater} or ${order.sql} is not null)`)
      } else {
        const value = order.parameter(parameter(String(sort.value), "text"))
        const isLater = `(${order.sql}, x.id) ${comparison} (${value}, ${id})`
        conditions.push(order.isNullable && sort.order === "asc" ? `(${isLater} or ${order.sql} is null)` : isLater)
      }
    }

    const maximum = parameter(bytes, "bigint")
    const textOf = (): PgText => {
      // Postgres sorts null last in `asc` and first in `desc`, as the port does.
      const ordered = (row: string) =>
        `order by ${order === null ? "" : `${row}.value ${sort.order}, `}${row}.id ${sort.order}`
      const select = (further: ReadonlyArray<string>) => sql`(
        select x.id, ${order?.sql ?? "null"} as value from ${from} x
        where ${joined([...conditions, ...further], " and ")}
        order by ${order === null ? "" : `${order.sql} ${sort.order}, `}x.id ${sort.order} ${bound}
      )`
      const isSearchAlone = (q !== undefined && order === null) || searchOrders.includes(sort.by)
      const branches = isSearchAlone && !isFiltered && lead === undefined ? parts : []
      const found =
        branches.length === 0
          ? select([])
          : joined(
              branches.map((part) => select([part])),
              " union all "
            )
      const ids = sql`(select * from (${found}) y ${ordered("y")} limit $2::int) f`
      return boundedPageText(table, sql`${rows(ids)} ${ordered("f")}`, maximum)
    }
    // All else in the text follows from these.
    const given = [lead && leading.indexOf(lead), isFiltered, q === undefined, after === null]
    const form = [...given, sort.value === null, sort.by, sort.order, bound].join(" ")
    const text = texts.get(form) ?? textOf()
    texts.set(form, text)
    return { text, parameters }
  }

  return (request: Request<By>, given: Pick<Model, Given>): Effect.Effect<Page<Model>, RepositoryError> => {
    const { limit } = request.page
    const { organisationId } = request
    return Effect.flatMap(MaximumPageBytes, (bytes) => {
      const statement = { operation, ...statementOf(request, bytes), readOnly: true, scope: { organisationId } }
      return Effect.map(run(statement), (rows) => pageFromText(textOf(rows), { table, given, limit, isShownAsStored }))
    })
  }
}
