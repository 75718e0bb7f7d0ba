/**
 * `Records` on Postgres.
 */
import { Records } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { PgClient } from "../PgClient.ts"
import { makeCommit } from "./PgCommit.ts"
import { makeList } from "./PgList.ts"
import { makeLoad } from "./PgLoad.ts"

export const layer: Layer.Layer<Records, never, PgClient> = Layer.effect(
  Records,
  Effect.map(PgClient, (client) =>
    Records.of({ load: makeLoad(client), commit: makeCommit(client), list: makeList(client) })
  )
)
