/** The own account: name, digest, password, e-mail address, second factor. */
import { Name } from "@solar-sites/core"
import { MaximumBody } from "@solar-sites/http-node/contract"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { NewPassword } from "../../accounts/login/Password.ts"
import { Email, User } from "../../accounts/people/User.ts"
import { DigestChoice } from "../../digest/DigestChoice.ts"
import { bodyBytes } from "./Parts.ts"

const path = "/console/account"

const { email, id, name, role } = User.fields
const Account = Schema.Struct({ id, email, name, role, digest: DigestChoice })

const AccountChange = Schema.Struct({ name: Schema.optionalKey(Name), digest: Schema.optionalKey(DigestChoice) })
const PasswordChange = Schema.Struct({ currentPassword: Schema.String, password: NewPassword })
const EmailChange = Schema.Struct({ email: Email, password: Schema.String })

export class AccountApi extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("show", path, { success: Account }),
    HttpApiEndpoint.put("update", path, { payload: AccountChange, success: Account }),
    HttpApiEndpoint.put("changePassword", `${path}/password`, { payload: PasswordChange }),
    HttpApiEndpoint.post("changeEmail", `${path}/email`, { payload: EmailChange, success: HttpApiSchema.Accepted })
  )
  .annotateEndpoints(MaximumBody, bodyBytes) {}

const factor = `${path}/second-factor`

/** `required`: the organisation demands one. `hasPassword` is false for users who log in at a provider only. */
const SecondFactor = Schema.Struct({
  enabled: Schema.Boolean,
  enabledAt: Schema.NullOr(Schema.String),
  recoveryCodesLeft: Schema.Finite,
  required: Schema.Boolean,
  hasPassword: Schema.Boolean
})

/** `secret` is in base32, as authenticator apps accept it; `uri` is its `otpauth:` address, for a QR code. */
const FactorSecret = Schema.Struct({ secret: Schema.String, uri: Schema.String })

const recoveryCodes = { recoveryCodes: Schema.Array(Schema.String) }
const EnabledFactor = Schema.Struct({ ...SecondFactor.fields, ...recoveryCodes })

// Users who log in at a provider have no password.
const password = { password: Schema.optionalKey(Schema.NullOr(Schema.String)) }
const code = { code: Schema.String }

/** Secret and recovery codes are only in the response that makes them. */
export class SecondFactorApi extends HttpApiGroup.make("secondFactor")
  .add(
    HttpApiEndpoint.get("show", factor, { success: SecondFactor }),
    HttpApiEndpoint.post("begin", factor, { payload: Schema.Struct(password), success: FactorSecret }),
    HttpApiEndpoint.put("enable", factor, { payload: Schema.Struct(code), success: EnabledFactor }),
    HttpApiEndpoint.delete("disable", factor, { payload: Schema.Struct({ ...password, ...code }) }),
    HttpApiEndpoint.post("renew", `${factor}/recovery-codes`, {
      payload: Schema.Struct(code),
      success: Schema.Struct(recoveryCodes)
    })
  )
  .annotateEndpoints(MaximumBody, bodyBytes) {}
