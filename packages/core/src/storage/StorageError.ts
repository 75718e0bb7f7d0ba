/**
 * The one failure a storage may raise for reasons the domain does not know
 * about.
 *
 * @since 0.1.0
 */
import { Effect, Schema } from "effect"
import { failureMessage, redactedCause } from "../input/Redaction.ts"

/**
 * @category errors
 * @since 0.1.0
 */
export class StorageError extends Schema.TaggedError<StorageError>("@solar-sites/core/StorageError")("StorageError", {
  /** The port method that failed, such as `DocumentStorage.inspect`. */
  operation: Schema.String,
  /** `full`: there is no room for another byte; `unavailable`: anything else. */
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

/** Tells the operator what callers learn as something smaller, or not at all; `what` is a sentence. */
export const storageWarning =
  (what: string) =>
  ({ cause, operation }: StorageError): Effect.Effect<void> =>
    Effect.annotateLogs(Effect.logWarning(what), { operation, cause: redactedCause(cause) })
