/**
 * Logs go to standard error; standard output is for results of commands and the
 * address of `serve`. One JSON object per line, or a readable form on a terminal.
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

/** The logger of `LOG_LEVEL` and `LOG_FORMAT`. */
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
 * Writes all lines of one turn of the event loop in one system call, which costs
 * as much as a small request. Buffered lines are also written on exit.
 */
const batchedByTurn = (write: (text: string) => void): ((line: string) => void) => {
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
 * Writes the access line of a request. It bypasses the logger, which costs more
 * than a small request. In JSON it has the members of other log lines.
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
  const print = batchedByTurn((text) => void process.stderr.write(text))
  return (line: AccessLine) => print(format(line))
})
