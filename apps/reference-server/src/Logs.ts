/**
 * Where logs go: always to standard error, so that standard output holds nothing
 * but what a command answers, and for `serve` the address. One JSON object per
 * line; for people on a terminal a readable form.
 */
import type { AccessLine } from "@solar-sites/http-node"
import { Clock, Effect, Layer, Logger, LogLevel, Option, References } from "effect"
import { fromEnvironment, type LogSettings, logSettings } from "./configuration/Settings.ts"
import type { Failure } from "./Failure.ts"

const levels: Readonly<Record<LogSettings["level"], LogLevel.LogLevel>> = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  none: "None"
}

const formatOf = ({ format }: LogSettings) =>
  Option.getOrElse(format, () => (process.stderr.isTTY ? ("pretty" as const) : ("json" as const)))

/** As `LOG_LEVEL` and `LOG_FORMAT` say. */
export const layer: Layer.Layer<never, Failure> = Layer.unwrap(
  Effect.map(fromEnvironment(logSettings), (settings) =>
    Layer.mergeAll(
      Logger.layer([
        formatOf(settings) === "pretty" ? Logger.consolePretty() : Logger.withConsoleError(Logger.formatJson)
      ]),
      Layer.succeed(Logger.LogToStderr, true),
      Layer.succeed(References.MinimumLogLevel, levels[settings.level])
    )
  )
)

/**
 * Writes together what is said in one turn of the event loop: each call of the
 * system costs as much as many a request. Nothing is kept any longer, and the
 * end of the process writes the rest.
 */
const inTurns = (write: (text: string) => void): ((line: string) => void) => {
  let lines = ""
  const flush = () => {
    if (lines === "") return
    const text = lines
    lines = ""
    write(text)
  }
  process.once("exit", flush)
  return (line) => {
    if (lines === "") setImmediate(flush)
    lines += `${line}\n`
  }
}

/**
 * Writes one line per request, past the logger, which would cost more than many
 * a request. In JSON it has the members that every other line has.
 */
export const accessLog: Effect.Effect<(line: AccessLine) => void, Failure> = Effect.gen(function* () {
  const settings = yield* fromEnvironment(logSettings)
  const clock = yield* Clock.Clock
  if (!LogLevel.isLessThanOrEqualTo(levels[settings.level], "Info")) return () => {}
  const timestamp = () => new Date(clock.currentTimeMillisUnsafe()).toISOString()
  const format =
    formatOf(settings) === "pretty"
      ? ({ durationMs, keyPrefix, method, requestId, route, status }: AccessLine) =>
          `${timestamp()} ${method} ${route ?? "-"} ${status} ${durationMs.toFixed(1)} ms ${keyPrefix ?? "-"} ${requestId}`
      : (line: AccessLine) =>
          JSON.stringify({ message: "request", level: "INFO", timestamp: timestamp(), annotations: line })
  const print = inTurns((text) => void process.stderr.write(text))
  return (line: AccessLine) => print(format(line))
})
