/**
 * Pages with JSON that is composed from the values Postgres sends, without models. Models are made
 * when a caller reads the items. Postgres escapes all control characters in JSON, so ASCII's
 * separators stand between values and between rows.
 */
import { type Page, withJson } from "@solar-sites/core"
import { type PgText, sql } from "../client/PgText.ts"
import { once } from "./Column.ts"
import type { PageMembers, Row, Table } from "./Table.ts"

const betweenValues = "\x1f"
const betweenRows = "\x1e"

type Values = Pick<Table<never>, "values">

const rowText = (table: Values, row: string): string => `concat_ws(E'\\x1f', ${table.values(row).join(", ")})`

/** A statement that answers all rows of a query as one text for `pageFromText`; null without rows. */
export const pageText = (table: Values, rows: PgText | string): PgText =>
  sql`select string_agg(${rowText(table, "x")}, E'\\x1e') from (${rows}) x`

/**
 * The same for a page that ends after so many bytes, given as SQL of a number: the row behind them is
 * empty, and those after it are not there. The server stops at the empty row, since the count of such
 * rows ascends. `offset 0` keeps it from making each text twice.
 */
export const boundedPageText = (table: Values, rows: PgText | string, bytes: string): PgText => sql`
  select string_agg(z.text, E'\\x1e') from (
    select case when y.before < ${bytes} then y.text else '' end as text,
           count(*) filter (where y.before >= ${bytes}) over (rows unbounded preceding) as cuts
    from (
      select w.text, sum(octet_length(w.text)) over (rows unbounded preceding) - octet_length(w.text) as before
      from (select ${rowText(table, "x")} as text from (${rows}) x offset 0) w
    ) y
  ) z
  where z.cuts <= 1`

/**
 * Writes a row as `JSON.stringify` writes its model. Values are cut out one by one: splitting the
 * row first takes about 5 % longer (docs/decisions/0021).
 */
const rowWriter = ({ members }: PageMembers, given: object): ((row: string) => string) => {
  const fields: Array<{ readonly prefix: string; readonly rewrite: ((text: string) => string) | null }> = []
  const make = once<(text: string) => string>()
  let between = "{"
  for (const [index, { column, name }] of members.entries()) {
    between += `${index === 0 ? "" : ","}"${name}":`
    if (column === null) {
      between += JSON.stringify(Reflect.get(given, name))
    } else {
      fields.push({ prefix: between, rewrite: make(column.rewriter) })
      between = ""
    }
  }
  const suffix = `${between}}`

  return (row) => {
    let json = ""
    let start = 0
    for (const { prefix, rewrite } of fields) {
      const separator = row.indexOf(betweenValues, start)
      const end = separator < 0 ? row.length : separator
      const value = row.slice(start, end)
      json += prefix + (rewrite === null ? value : rewrite(value))
      start = end + 1
    }
    return json + suffix
  }
}

/** The JSON text of the value at the position. */
export const valueAt = (row: string, position: number): string => {
  let start = 0
  for (let index = 0; index < position; index++) start = row.indexOf(betweenValues, start) + 1
  const end = row.indexOf(betweenValues, start)
  return row.slice(start, end < 0 ? row.length : end)
}

interface Options<Model, Given extends keyof Model> {
  readonly table: Table<Model, Given>
  readonly given: Pick<Model, Given>
  readonly limit: number
  /** Whether callers see the row as it is stored. A page with another row has no JSON. */
  readonly isShownAsStored?: ((row: string) => boolean) | undefined
}

/** The first `limit` rows of a text from `pageText` or `boundedPageText`. */
export const pageFromText = <Model extends { readonly id: string }, Given extends Exclude<keyof Model, "id">>(
  text: string | null,
  { given, isShownAsStored, limit, table }: Options<Model, Given>
): Page<Model> => {
  const { isCut, rows } = rowTexts(text)
  return pageOf(rows.slice(0, limit), { given, table, hasMore: isCut || rows.length > limit, isShownAsStored })
}

/** The rows of a text from `pageText` or `boundedPageText`. `isCut` is true when it ended early. */
export const rowTexts = (text: string | null): { readonly rows: ReadonlyArray<string>; readonly isCut: boolean } => {
  const rows = text === null ? [] : text.split(betweenRows)
  const isCut = rows.at(-1) === ""
  return { rows: isCut ? rows.slice(0, -1) : rows, isCut }
}

/** A page of these rows. */
export const pageOf = <Model extends { readonly id: string }, Given extends Exclude<keyof Model, "id">>(
  texts: ReadonlyArray<string>,
  { given, hasMore, isShownAsStored, table }: Omit<Options<Model, Given>, "limit"> & { readonly hasMore: boolean }
): Page<Model> => {
  let items: ReadonlyArray<Model> | undefined
  const page: Page<Model> = {
    get items() {
      if (items === undefined) {
        const arrays: ReadonlyArray<Row<Model>> =
          texts.length === 0 ? [] : JSON.parse(`[[${texts.join("],[").replaceAll(betweenValues, ",")}]]`)
        items = arrays.map(table.reader(given))
      }
      return items
    },
    hasMore
  }
  if (isShownAsStored !== undefined && !texts.every(isShownAsStored)) return page
  const last = texts.at(-1)
  return withJson(page, {
    texts: () => texts.map(rowWriter(table, given)),
    lastId: last === undefined ? null : JSON.parse(valueAt(last, table.positionOf("id")))
  })
}
