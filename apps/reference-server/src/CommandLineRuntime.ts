/** Runs a command as the main program: errors go to standard error and set the exit code. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Console, Effect, Exit, Layer, Runtime } from "effect"
import { CliConfig, CliError, CliOutput, GlobalFlag } from "effect/cli"
import { ExitStatus, Failure } from "./Failure.ts"

const presenter: CliOutput.Presenter = {
  present: (event) => {
    if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
    const faults = event.errors.map((error) => error.message).join("\n")
    return Console.error(`${faults}\nSee ${event.commandPath.join(" ")} --help.`)
  }
}

/**
 * Services of the command line. Requested help and version go to standard output.
 * Errors of an invalid invocation go to standard error only.
 */
export const CommandLineServices = Layer.mergeAll(
  NodeServices.layer,
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] }),
  CliOutput.layerPresenter(presenter)
)

const isInvalidInvocation = (error: unknown): boolean => CliError.isCliError(error) && error._tag === "ShowHelp"

const printError = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  const error = Cause.squash(cause)
  if (isInvalidInvocation(error) || error instanceof ExitStatus) return Effect.void
  // Only a defect is printed with its stack.
  return Console.error(error instanceof Failure ? error.message : `Unexpected error:\n${Cause.pretty(cause)}`)
}

const codeOf = (exit: Exit.Exit<unknown, unknown>): number =>
  Exit.isSuccess(exit) ? 0 : Runtime.getErrorExitCode(Cause.squash(exit.cause))

/** Prints the errors of a command; succeeds with the exit code of its process. */
export const exitCode = <E, R>(command: Effect.Effect<void, E, R>): Effect.Effect<number, never, R> =>
  Effect.map(Effect.exit(Effect.tapCause(command, printError)), codeOf)

/** Installs no signal handlers: a command without its own is ended by the default ones. */
export const runAsProcess = <E>(command: Effect.Effect<void, E>): void => {
  const run = Runtime.makeRunMain(({ fiber, teardown }) => {
    fiber.addObserver((exit) => teardown(exit, (code) => process.exit(code)))
  })
  run(Effect.tapCause(command, printError), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(codeOf(exit))
  })
}
