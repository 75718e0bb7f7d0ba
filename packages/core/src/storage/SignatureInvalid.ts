/**
 * Refusal of a signed notification of a storage.
 */
import { Schema } from "effect"

/**
 * The signature does not fit the message, or its key is not the one of the service that signs. `reason`
 * continues "The signature of the message …".
 */
export class SignatureInvalid extends Schema.TaggedError<SignatureInvalid>("@solar-sites/core/SignatureInvalid")(
  "SignatureInvalid",
  { reason: Schema.String }
) {
  readonly code = "token_invalid"

  override get message(): string {
    return `The signature of the message ${this.reason}`
  }
}
