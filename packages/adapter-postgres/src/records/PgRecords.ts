/**
 * `Records` on Postgres. Each kind, and each member that its lists are of, has a statement for lists.
 */
import { Records } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { PgClient } from "../PgClient.ts"
import { makeCommit } from "./PgCommit.ts"
import { makeLoad } from "./PgLoad.ts"
import type { RecordTable } from "./RecordTable.ts"
import { type KindTable, type RecordTables, recordTables } from "./RecordTables.ts"

const makeList = (client: PgClient["Service"], { tableOf }: RecordTables): Records["Service"]["list"] => {
  const lists = new Map<string, ReturnType<RecordTable["list"]>>()
  return (operation, organisationId, kind, { of, page }) => {
    const key = `${operation} ${kind.name} ${of?.member}`
    const list = lists.get(key) ?? tableOf(kind).list(client, operation, of?.member)
    lists.set(key, list)
    return list(organisationId, page, of?.value)
  }
}

/** Further record kinds of the application with their tables, in the order in which statements lock their rows. */
export interface PgRecordsOptions {
  readonly tables?: ReadonlyArray<KindTable>
}

/** Throws a `TypeError` for two kinds of one name. */
export const layerWith = ({ tables = [] }: PgRecordsOptions): Layer.Layer<Records, never, PgClient> => {
  const all = recordTables(tables)
  return Layer.effect(
    Records,
    Effect.map(PgClient, (client) =>
      Records.of({ load: makeLoad(client, all), commit: makeCommit(client, all), list: makeList(client, all) })
    )
  )
}
