/**
 * What stops the process, as one sentence for whoever started it.
 */
import { Schema } from "effect"

/**
 * Expected and explained: it is printed without a stack and ends the process
 * with exit code 1.
 */
export class Failure extends Schema.TaggedError<Failure>("@solar-sites/reference-server/Failure")("Failure", {
  sentence: Schema.String
}) {
  override get message(): string {
    return this.sentence
  }
}
