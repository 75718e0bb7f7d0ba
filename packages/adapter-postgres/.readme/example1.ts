import { layer, migrate } from "@solar-sites/adapter-postgres"
import { AccessChanges, Organisations } from "@solar-sites/core"
import { Effect, Layer, Redacted } from "effect"

const url = Redacted.make("postgres://solar@localhost:5432/solar")
const adapters = Layer.merge(layer({ url }), AccessChanges.layerInProcess)

const program = Effect.gen(function* () {
  yield* migrate
  const organisations = yield* Organisations
  return yield* organisations.create({ name: "Meadow Energy" })
})

await Effect.runPromise(Effect.provide(program, Organisations.layer.pipe(Layer.provideMerge(adapters))))
