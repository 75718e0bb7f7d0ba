/** The sessions of the own account. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { LoginMethod } from "../../accounts/sessions/SessionKind.ts"
import { all } from "./Parts.ts"

const path = "/console/sessions"

const OwnSession = Schema.Struct({
  id: Schema.String,
  createdAt: Schema.DateTimeUtcFromString,
  lastUsedAt: Schema.DateTimeUtcFromString,
  expiresAt: Schema.DateTimeUtcFromString,
  method: LoginMethod,
  userAgent: Schema.NullOr(Schema.String),
  /** True of the session of the request. */
  current: Schema.Boolean
})

export class SessionsApi extends HttpApiGroup.make("sessions").add(
  HttpApiEndpoint.get("list", path, { success: all(OwnSession) }),
  HttpApiEndpoint.delete("endOthers", path),
  HttpApiEndpoint.delete("end", `${path}/:id`, { params: { id: Schema.String } })
) {}
