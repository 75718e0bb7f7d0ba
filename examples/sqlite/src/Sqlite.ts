/**
 * All ports that keep records, on one SQLite database.
 */
import type { SolarSitesServices } from "@solar-sites/core"
import { Layer } from "effect"
import * as ApiKeys from "./SqliteApiKeys.ts"
import { SqliteDatabase } from "./SqliteDatabase.ts"
import * as Documents from "./SqliteDocuments.ts"
import * as Events from "./SqliteEvents.ts"
import * as Idempotency from "./SqliteIdempotency.ts"
import * as Organisations from "./SqliteOrganisations.ts"
import * as Records from "./SqliteRecords.ts"
import * as Sites from "./SqliteSites.ts"
import * as Webhooks from "./SqliteWebhooks.ts"

const ports = Layer.mergeAll(
  Organisations.layer,
  Sites.layer,
  Documents.layer,
  ApiKeys.layer,
  Idempotency.layer,
  Webhooks.layer
).pipe(Layer.provideMerge(Layer.merge(Records.layer, Events.layer)))

/** `location` is a file, or `:memory:`. */
export const layer = ({ location }: { readonly location: string }): Layer.Layer<SolarSitesServices.DatabasePorts> =>
  ports.pipe(Layer.provide(SqliteDatabase.layer(location)))

/** Every statement fails: there are no tables. */
export const layerWithoutTables: Layer.Layer<SolarSitesServices.DatabasePorts> = ports.pipe(
  Layer.provide(SqliteDatabase.layer(":memory:", ""))
)
