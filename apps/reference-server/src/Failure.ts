/** Expected errors that end the process. */
import { Schema } from "effect"

/** Is printed as one sentence without a stack; the exit code is 1. */
export class Failure extends Schema.TaggedError<Failure>("@solar-sites/reference-server/Failure")("Failure", {
  message: Schema.String
}) {}
