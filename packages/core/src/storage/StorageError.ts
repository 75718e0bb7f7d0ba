/**
 * The infrastructure failure of all storages.
 */
import { Effect, Schema } from "effect"
import { failureMessage, redactedCause } from "../input/Redaction.ts"

export class StorageError extends Schema.TaggedError<StorageError>("@solar-sites/core/StorageError")("StorageError", {
  /** The port method that failed, such as `DocumentStorage.inspect`. */
  operation: Schema.String,
  /** `full`: no space left; `unavailable`: any other failure. */
  reason: Schema.Literals(["unavailable", "full"]),
  cause: Schema.Defect()
}) {
  get code(): "storage_full" | "storage_unavailable" {
    return this.reason === "full" ? "storage_full" : "storage_unavailable"
  }

  override get message(): string {
    return failureMessage(this.operation, this.cause)
  }
}

/** Logs a storage failure that is hidden from the caller. `what` is the log message. */
export const storageWarning =
  (what: string) =>
  ({ cause, operation }: StorageError): Effect.Effect<void> =>
    Effect.annotateLogs(Effect.logWarning(what), { operation, cause: redactedCause(cause) })
