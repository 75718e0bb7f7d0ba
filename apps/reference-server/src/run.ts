/**
 * Runs a command as the whole of this process: faults go to standard error, and
 * the exit code says whether there were any.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Console, Effect, Exit, Layer, Runtime } from "effect"
import { CliConfig, CliError, CliOutput, GlobalFlag } from "effect/cli"
import { Failure } from "./Failure.ts"

const presenter: CliOutput.Presenter = {
  present: (event) => {
    if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
    const faults = event.errors.map((error) => error.message).join("\n")
    return Console.error(`${faults}\nSee ${event.commandPath.join(" ")} --help.`)
  }
}

/**
 * What every command line of ours rests on. Help and version go to standard
 * output when they were asked for; a wrong invocation is told on standard error
 * alone, where no script reads it as an answer.
 */
export const CommandLine = Layer.mergeAll(
  NodeServices.layer,
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] }),
  CliOutput.layerPresenter(presenter)
)

const isWrongInvocation = (error: unknown): boolean => CliError.isCliError(error) && error._tag === "ShowHelp"

const tell = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  const error = Cause.squash(cause)
  if (isWrongInvocation(error)) return Effect.void
  // Only a bug shows its stack.
  return Console.error(
    error instanceof Failure ? error.sentence : `This should not have happened:\n${Cause.pretty(cause)}`
  )
}

/**
 * Signals are left to the command: while none listens, they end the process as
 * they end every other.
 */
export const runAsProcess = <E>(command: Effect.Effect<void, E>): void => {
  const run = Runtime.makeRunMain(({ fiber, teardown }) => {
    fiber.addObserver((exit) => teardown(exit, (code) => process.exit(code)))
  })
  run(Effect.tapCause(command, tell), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) ? 0 : Runtime.getErrorExitCode(Cause.squash(exit.cause)))
  })
}
