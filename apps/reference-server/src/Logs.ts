/**
 * Where logs go: always to standard error, so that standard output holds nothing
 * but what a command answers, and for `serve` the address. One JSON object per
 * line; for people on a terminal a readable form.
 *
 * @since 0.1.0
 */
import { Effect, Layer, Logger, type LogLevel, Option, References } from "effect"
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

/**
 * As `LOG_LEVEL` and `LOG_FORMAT` say.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<never, Failure> = Layer.unwrap(
  Effect.map(fromEnvironment(logSettings), ({ format, level }) => {
    const chosen = Option.getOrElse(format, () => (process.stderr.isTTY ? "pretty" : "json"))
    return Layer.mergeAll(
      Logger.layer([chosen === "pretty" ? Logger.consolePretty() : Logger.withConsoleError(Logger.formatJson)]),
      Layer.succeed(Logger.LogToStderr, true),
      Layer.succeed(References.MinimumLogLevel, levels[level])
    )
  })
)
