/**
 * `Records` on Postgres. Each kind, and each member that its lists are of, has a statement for lists.
 */
import { Records } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { PgClient } from "../PgClient.ts"
import { makeCommit } from "./PgCommit.ts"
import { makeLoad } from "./PgLoad.ts"
import type { RecordTable } from "./RecordTable.ts"
import { tableOf } from "./RecordTables.ts"

const makeList = (client: PgClient["Service"]): Records["Service"]["list"] => {
  const lists = new Map<string, ReturnType<RecordTable["list"]>>()
  return (operation, organisationId, kind, { of, page }) => {
    const key = `${operation} ${kind.name} ${of?.member}`
    const list = lists.get(key) ?? tableOf(kind).list(client, operation, of?.member)
    lists.set(key, list)
    return list(organisationId, page, of?.value)
  }
}

export const layer: Layer.Layer<Records, never, PgClient> = Layer.effect(
  Records,
  Effect.map(PgClient, (client) =>
    Records.of({ load: makeLoad(client), commit: makeCommit(client), list: makeList(client) })
  )
)
