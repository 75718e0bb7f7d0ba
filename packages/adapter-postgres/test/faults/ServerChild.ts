/**
 * A server over the adapter in a process of its own, so that what would end a
 * server ends this. Says its port and a key once it listens: for the organisation
 * that is named, or for a new one.
 */
import { createServer } from "node:http"
import { layer, migrate, PgClient } from "@solar-sites/adapter-postgres"
import {
  AccessChanges,
  ApiKeys,
  Caller,
  CurrentCaller,
  OrganisationId,
  Organisations,
  RateLimiter,
  SolarSitesServices
} from "@solar-sites/core"
import { HealthChecks, toNodeListener } from "@solar-sites/http-node"
import { MemoryDocumentStorage } from "@solar-sites/testing"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { lengthenTurns } from "./longTurns.ts"

const [url = "", schema = "", applicationName = "", queryTimeout = "5000", organisation] = process.argv.slice(2)
const { LONG_TURNS: longTurns } = process.env

const readiness = Layer.effect(
  HealthChecks,
  Effect.map(PgClient, ({ run }) => [
    {
      name: "database",
      problem: "database_unavailable" as const,
      isUp: Effect.isSuccess(run({ operation: "ready", text: "select 1", readOnly: true }))
    }
  ])
)

const database = layer({ url: Redacted.make(url), schema, applicationName, queryTimeout: Number(queryTimeout) })
const adapters = Layer.mergeAll(
  AccessChanges.layerInProcess,
  RateLimiter.layerInProcess,
  MemoryDocumentStorage.layer,
  readiness
).pipe(Layer.provideMerge(database))

const makeKey = Effect.gen(function* () {
  yield* migrate
  const organisationId =
    organisation === undefined
      ? (yield* (yield* Organisations).create({ name: "Meadow Energy" })).id
      : OrganisationId.make(organisation)
  const caller = new Caller({ organisationId, userId: null, apiKeyId: null })
  const { secret } = yield* Effect.provideService((yield* ApiKeys).create({ name: "test" }), CurrentCaller, caller)
  return Redacted.value(secret)
})

const context = await Effect.runPromise(
  Layer.buildWithScope(SolarSitesServices.layer.pipe(Layer.provideMerge(adapters)), Scope.makeUnsafe())
)
// A query that a busy machine has kept waiting is no reason not to start.
const exit = await Effect.runPromiseExit(Effect.provideContext(Effect.retry(makeKey, { times: 10 }), context))
if (Exit.isFailure(exit)) throw new Error(String(exit.cause))

const solar = toNodeListener(Layer.succeedContext(context), { rateLimitPerMinute: 0 })
await solar.ready
const server = createServer(solar.listener)
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  if (longTurns === "yes") lengthenTurns()
  process.stdout.write(`${JSON.stringify({ port, key: exit.value })}\n`)
})
