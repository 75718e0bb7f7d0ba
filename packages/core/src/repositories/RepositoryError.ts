/**
 * The infrastructure failure of all repositories: lost connection, timeout, unreadable row.
 */
import { Schema } from "effect"
import { failureMessage } from "../input/Redaction.ts"

export class RepositoryError extends Schema.TaggedError<RepositoryError>("@solar-sites/core/RepositoryError")(
  "RepositoryError",
  {
    /** The port method that failed, such as `SiteRepository.insert`. */
    operation: Schema.String,
    /** True when a retry of the same call may succeed; false indicates a bug. */
    retryable: Schema.Boolean,
    cause: Schema.Defect()
  }
) {
  readonly code = "database_unavailable"

  override get message(): string {
    return failureMessage(this.operation, this.cause)
  }
}
