/**
 * `Records.list`: one statement for each kind and member that its lists are of.
 */
import type { Records } from "@solar-sites/core"
import type { PgClient } from "../PgClient.ts"
import type { RecordTable } from "./RecordTable.ts"
import { tableOf } from "./RecordTables.ts"

export const makeList = (client: PgClient["Service"]): Records["Service"]["list"] => {
  const lists = new Map<string, ReturnType<RecordTable["list"]>>()

  return (operation, organisationId, kind, { of, page }) => {
    const key = `${operation} ${kind.name} ${of?.member}`
    const list = lists.get(key) ?? tableOf(kind).list(client, operation, of?.member)
    lists.set(key, list)
    return list(organisationId, page, of?.value)
  }
}
