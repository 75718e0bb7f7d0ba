/** The users of the organisation: read by every user, changed by owners and admins. */
import { CreateApiKey, Name } from "@solar-sites/core"
import { MaximumBody } from "@solar-sites/http-node/contract"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Role } from "../../accounts/people/Role.ts"
import { User } from "../../accounts/people/User.ts"
import { all, bodyBytes, LeastRole, OwnAccount } from "./Parts.ts"

const path = "/console/users"

const { organisationId, ...shown } = User.fields

/** `lastLoginAt` is null before the first login, and when it is older than the kept events. */
const ShownUser = Schema.Struct({
  ...shown,
  secondFactor: Schema.Boolean,
  lastLoginAt: Schema.NullOr(Schema.String)
})

const UserChange = Schema.Struct({
  role: Schema.optionalKey(Role),
  name: Schema.optionalKey(Name),
  // Null is no limit, which a user with a limit cannot give.
  portfolioIds: CreateApiKey.fields.portfolioIds
})

const params = { id: Schema.String }

const update = HttpApiEndpoint.put("update", `${path}/:id`, { params, payload: UserChange, success: ShownUser })

export class UsersApi extends HttpApiGroup.make("users")
  .add(
    update.annotate(OwnAccount, true),
    HttpApiEndpoint.delete("delete", `${path}/:id`, { params }),
    HttpApiEndpoint.delete("resetSecondFactor", `${path}/:id/second-factor`, { params }),
    HttpApiEndpoint.delete("endSessions", `${path}/:id/sessions`, { params })
  )
  .annotateEndpoints(LeastRole, "admin")
  .add(HttpApiEndpoint.get("list", path, { success: all(ShownUser) }))
  .annotateEndpoints(MaximumBody, bodyBytes) {}
