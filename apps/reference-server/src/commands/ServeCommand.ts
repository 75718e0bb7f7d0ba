/** `solar-sites serve`: runs the server until a signal. */
import { flushCompileCache } from "node:module"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { fromEnvironment, settings } from "../configuration/Settings.ts"
import * as Logs from "../Logs.ts"
import { firstSignal } from "../server/Signals.ts"
import { toggle } from "./Input.ts"

const migrate = toggle("migrate", "Apply pending migrations to an external database first")

export const serve = Command.make(
  "serve",
  { migrate },
  Effect.fnUntraced(function* ({ migrate }) {
    const chosen = yield* fromEnvironment(settings)
    const { server } = yield* Effect.promise(() => import("../server/Server.ts"))
    // Node keeps what it read from the cache in memory until it is written.
    flushCompileCache()
    const stopping = Effect.tap(firstSignal, (signal) =>
      Effect.annotateLogs(Effect.logInfo("server stopping"), { signal })
    )
    yield* Effect.raceFirst(server(chosen, migrate ? "apply" : "require"), stopping)
  }, Effect.provide(Logs.layer))
).pipe(
  Command.withDescription(
    "Start the server. An embedded database is always migrated, an external one only with --migrate."
  )
)
