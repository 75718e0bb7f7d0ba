/**
 * `Records.load`: one statement for all finds. Loads of one organisation that look for the same kinds share it.
 */
import { type Find, foundOf, type Records, Revision } from "@solar-sites/core"
import { Effect } from "effect"
import type { PgRows } from "../client/PgStatement.ts"
import type { PgClient } from "../PgClient.ts"
import { textOf } from "../repositories/PgJsonStatement.ts"
import type { Row } from "../tables/Table.ts"
import { tableOf } from "./RecordTables.ts"

/** A row with its revision. */
type StoredRow = readonly [row: Row<unknown>, revision: string]

const signatureOf = (finds: ReadonlyArray<Find>): string => finds.map(({ by, kind }) => `${kind.name} ${by}`).join()

/** SQL of the rows of one find as a JSON array; its values are the parameter at this position. */
const select = (schema: string, { by, kind }: Find, position: number): string => {
  const { column, name, owner, row } = tableOf(kind.name)
  const parameter = `$${position + 2}::text`
  const condition =
    by === "id"
      ? `x.id = any (${parameter}::uuid[])`
      : `x.${column(by)} = any (array(select json_array_elements_text(${parameter}::json)))`
  return `(select '[' || coalesce(string_agg('[' || ${row("x")} || ',"' || x.xmin || '"]', ','), '') || ']'
    from ${schema}.${name} x where x.${owner} = $1::uuid and ${condition})`
}

const valuesParameter = (by: string, values: ReadonlyArray<string>): string =>
  by === "id" ? `{${values.join(",")}}` : JSON.stringify(values)

const loading = ({ batch, schema }: PgClient["Service"], operation: string, finds: ReadonlyArray<Find>) =>
  batch({
    operation,
    text: `select '[' || concat_ws(',', ${finds.map((find, index) => select(schema, find, index)).join(", ")}) || ']'`,
    readOnly: true,
    parameters: (items: ReadonlyArray<ReadonlyArray<Find>>) =>
      finds.map(({ by }, index) =>
        valuesParameter(by, [...new Set(items.flatMap((item) => item[index]?.values ?? []))])
      ),
    decode: (rows: PgRows) => JSON.parse(textOf(rows) ?? "[]") as ReadonlyArray<ReadonlyArray<StoredRow>>
  })

export const makeLoad = (client: PgClient["Service"]): Records["Service"]["load"] => {
  const statements = new Map<string, ReturnType<typeof loading>>()
  return (operation, organisationId, finds) => {
    const key = `${operation} ${signatureOf(finds)}`
    const load = statements.get(key) ?? loading(client, operation, finds)
    statements.set(key, load)
    return Effect.map(load(organisationId, "", finds), (answers) =>
      foundOf(
        finds.map((find, index) => ({
          find,
          stored: (answers[index] ?? []).map(([row, revision]) => ({
            record: tableOf(find.kind.name).read(organisationId, row),
            revision: Revision(revision)
          }))
        }))
      )
    )
  }
}
