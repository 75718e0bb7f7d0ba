/** The session of the browser: log in, show, log out. */
import { ApiScope, Organisation } from "@solar-sites/core"
import { MaximumBody } from "@solar-sites/http-node/contract"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { User } from "../../accounts/people/User.ts"
import { EndReason } from "../../accounts/sessions/SessionKind.ts"
import { NeedsPasswords, openBodyBytes } from "./Parts.ts"

const path = "/console/session"

const { email, id, name, portfolioIds, role } = User.fields
const organisation = Organisation.fields

/** `mustSetUpSecondFactor`: the organisation demands a second factor that the user has not set up. */
export const ShownSession = Schema.Struct({
  user: Schema.Struct({ id, email, name, role, portfolioIds }),
  organisation: Schema.Struct({ id: organisation.id, name: organisation.name, status: organisation.status }),
  expiresAt: Schema.DateTimeUtcFromString,
  scopes: Schema.Array(ApiScope),
  mustSetUpSecondFactor: Schema.Boolean
})

/** `code` is one of an authenticator app, or a recovery code. */
const Credentials = Schema.Struct({
  email: Schema.String,
  password: Schema.String,
  code: Schema.optionalKey(Schema.NullOr(Schema.String))
})

/** Unknown cookies, live sessions and no cookie have the same answer: no end. */
const SessionEnd = Schema.Union([
  Schema.Struct({ reason: Schema.Null, endedAt: Schema.Null }),
  Schema.Struct({ reason: EndReason, endedAt: Schema.String })
])

const logIn = HttpApiEndpoint.post("logIn", path, { payload: Credentials, success: ShownSession })

export class LoginApi extends HttpApiGroup.make("login").add(
  logIn.annotate(NeedsPasswords, true).annotate(MaximumBody, openBodyBytes)
) {}

export class SessionApi extends HttpApiGroup.make("session").add(
  HttpApiEndpoint.get("show", path, { success: ShownSession }),
  HttpApiEndpoint.get("showEnd", `${path}/end`, { success: SessionEnd }),
  HttpApiEndpoint.delete("logOut", path)
) {}
