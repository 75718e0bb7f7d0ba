/**
 * The one failure every repository may raise for reasons the domain does not
 * know about: a lost connection, a timeout, an unreadable row.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { failureMessage } from "../input/Redaction.ts"

/**
 * @category errors
 * @since 0.1.0
 */
export class RepositoryError extends Schema.TaggedError<RepositoryError>("@solar-sites/core/RepositoryError")(
  "RepositoryError",
  {
    /** The port method that failed, such as `SiteRepository.insert`. */
    operation: Schema.String,
    /** True when repeating the same call may succeed; false points to a bug. */
    retryable: Schema.Boolean,
    cause: Schema.Defect()
  }
) {
  readonly code = "database_unavailable"

  override get message(): string {
    return failureMessage(this.operation, this.cause)
  }
}
