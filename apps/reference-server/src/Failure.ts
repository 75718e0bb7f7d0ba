/** Expected errors that end the process. */
import { Data, Runtime, Schema } from "effect"

/** Is printed as one sentence without a stack; the exit code is 1. */
export class Failure extends Schema.TaggedError<Failure>("@solar-sites/reference-server/Failure")("Failure", {
  message: Schema.String
}) {}

/** The message of anything that was thrown. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** The result of a command as an exit code. Nothing is printed. */
export class ExitStatus extends Data.TaggedError("ExitStatus")<{ readonly code: number }> {
  override readonly [Runtime.errorExitCode]: number = this.code
}
