/**
 * The server put together: database, HTTP application, listener. Each is closed
 * in the opposite order, when nothing needs it any more.
 *
 * @since 0.1.0
 */
import { PgClient } from "@solar-sites/adapter-postgres"
import { SolarSitesServices } from "@solar-sites/core"
import { HealthChecks, toNodeListener } from "@solar-sites/http-node"
import { Console, Effect, Layer, Option, type Scope } from "effect"
import type { Settings } from "../configuration/Settings.ts"
import * as Database from "../database/Database.ts"
import type { Failure } from "../Failure.ts"
import * as Logs from "../Logs.ts"
import { toFailure } from "../Refusals.ts"
import { createIfEmpty, invitation } from "./DemoData.ts"
import { listen } from "./HttpListener.ts"

const DatabaseCheck = Layer.effect(
  HealthChecks,
  Effect.map(PgClient, ({ query }) => [
    {
      name: "database",
      problem: "database_unavailable" as const,
      isUp: Effect.isSuccess(
        query("HealthChecks.database", (sql) => sql.unsafe("select 1").values(), { retryRead: true })
      )
    }
  ])
)

const demoData = createIfEmpty.pipe(Effect.mapError(toFailure), Effect.provide(SolarSitesServices.layer))

/** The path that the server has for the public, which a proxy strips; empty unless one is set. */
const pathOf = Option.match({
  onNone: () => "",
  onSome: (publicUrl: string) => new URL(publicUrl).pathname.replace(/\/$/, "")
})

const start = Effect.fnUntraced(function* (
  settings: Settings,
  migrations: Database.Migrations
): Effect.fn.Return<void, Failure, Scope.Scope> {
  const ports = yield* Layer.build(DatabaseCheck.pipe(Layer.provideMerge(Database.layer(settings, migrations))))
  let isShuttingDown = false
  const { checkContinue, close, listener, ready } = toNodeListener(
    Layer.merge(Layer.succeedContext(ports), Logs.layer),
    {
      home: `${pathOf(settings.publicUrl)}/docs`,
      onRequest: yield* Logs.accessLog,
      isShuttingDown: () => isShuttingDown
    }
  )
  yield* Effect.addFinalizer(() => Effect.promise(close))
  yield* Effect.promise(() => ready)

  const { host, port } = settings
  const address = yield* listen({ host, port, listener, checkContinue })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isShuttingDown = true
    })
  )

  const demoKey = Option.isNone(settings.database.url) ? yield* Effect.provide(demoData, ports) : Option.none()
  yield* Console.log(`Solar Sites listens on ${address}`)
  if (Option.isSome(demoKey)) yield* Console.log(invitation(address, demoKey.value))
})

/**
 * Serves until interrupted; then readiness turns red, the listener closes,
 * requests finish, and last uses of keys are written before the database closes.
 *
 * @category running
 * @since 0.1.0
 */
export const server = (settings: Settings, migrations: Database.Migrations): Effect.Effect<never, Failure> =>
  Effect.scoped(Effect.andThen(start(settings, migrations), Effect.never))
