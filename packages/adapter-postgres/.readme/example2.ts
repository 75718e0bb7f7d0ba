import { layerPorts, migrate } from "@solar-sites/adapter-postgres"
import * as Pglite from "@solar-sites/adapter-postgres/pglite"
import { Effect, Layer } from "effect"

const database = layerPorts.pipe(Layer.provideMerge(Pglite.layer({ dataDir: "./data/database" })))
console.log(await Effect.runPromise(Effect.provide(migrate, database)))
