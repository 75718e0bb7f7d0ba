/** New passwords and e-mail addresses by links. No session is needed: the token is the permission. */
import { MaximumBody } from "@solar-sites/http-node/contract"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { NewPassword } from "../../accounts/login/Password.ts"
import { Email } from "../../accounts/people/User.ts"
import { NeedsPasswords, openBodyBytes } from "./Parts.ts"

const resets = "/console/password-resets"

const Changed = Schema.Struct({ email: Schema.String })

/** The same answer for known and unknown addresses, and above the limits. */
export class PasswordResetsApi extends HttpApiGroup.make("passwordResets").add(
  HttpApiEndpoint.post("request", resets, {
    payload: Schema.Struct({ email: Email }),
    success: HttpApiSchema.Accepted
  }).annotate(MaximumBody, openBodyBytes)
) {}

const complete = HttpApiEndpoint.post("complete", `${resets}/complete`, {
  payload: Schema.Struct({ token: Schema.String, password: NewPassword }),
  success: Changed
})

export class LinksApi extends HttpApiGroup.make("links")
  .add(
    complete.annotate(NeedsPasswords, true),
    HttpApiEndpoint.post("confirmEmail", "/console/email-confirmations", {
      payload: Schema.Struct({ token: Schema.String }),
      success: Changed
    })
  )
  .annotateEndpoints(MaximumBody, openBodyBytes) {}
