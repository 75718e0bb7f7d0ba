/** Invitations: made by owners and admins with a session, accepted with the token of their link. */
import { CreateApiKey, Name } from "@solar-sites/core"
import { MaximumBody } from "@solar-sites/http-node/contract"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { NewPassword } from "../../accounts/login/Password.ts"
import { Role } from "../../accounts/people/Role.ts"
import { Email, User } from "../../accounts/people/User.ts"
import { all, bodyBytes, LeastRole, NeedsPasswords, openBodyBytes } from "./Parts.ts"
import { ShownSession } from "./SessionApi.ts"

const path = "/console/invitations"

const shown = {
  email: Schema.String,
  name: Schema.NullOr(Schema.String),
  role: Role,
  expiresAt: Schema.DateTimeUtcFromString
}

/** `mailedAt`: acceptance by the mail server; null before it and without mail. */
const Invitation = Schema.Struct({
  ...shown,
  portfolioIds: User.fields.portfolioIds,
  id: Schema.String,
  createdAt: Schema.DateTimeUtcFromString,
  mailedAt: Schema.NullOr(Schema.DateTimeUtcFromString)
})

/** `link` is null when it was sent by mail. Only this answer contains it. */
const IssuedInvitation = Schema.Struct({ ...Invitation.fields, link: Schema.NullOr(Schema.String) })

const ReceivedInvitation = Schema.Struct({ ...shown, organisation: Schema.String, inviter: Schema.String })

// As in the API, null in a POST means absent.
const NewInvitation = Schema.Struct({
  email: Email,
  name: Schema.optionalKey(Schema.NullOr(Name)),
  role: Role,
  // Here null is no limit, which a user with a limit cannot give. Without the member it is the inviter's own.
  portfolioIds: CreateApiKey.fields.portfolioIds
})
const Acceptance = Schema.Struct({ token: Schema.String, name: Name, password: NewPassword })

const params = { id: Schema.String }

export class InvitationsApi extends HttpApiGroup.make("invitations")
  .add(
    HttpApiEndpoint.post("create", path, { payload: NewInvitation, success: IssuedInvitation }),
    HttpApiEndpoint.post("renew", `${path}/:id/resend`, { params, success: IssuedInvitation })
  )
  .annotateEndpoints(NeedsPasswords, true)
  .add(HttpApiEndpoint.delete("withdraw", `${path}/:id`, { params }))
  .annotateEndpoints(LeastRole, "admin")
  .add(HttpApiEndpoint.get("list", path, { success: all(Invitation) }))
  .annotateEndpoints(MaximumBody, bodyBytes) {}

const accept = HttpApiEndpoint.post("accept", `${path}/accept`, { payload: Acceptance, success: ShownSession })

export class ReceivedInvitationsApi extends HttpApiGroup.make("receivedInvitations")
  .add(
    HttpApiEndpoint.post("look", `${path}/look`, {
      payload: Schema.Struct({ token: Schema.String }),
      success: ReceivedInvitation
    }),
    accept.annotate(NeedsPasswords, true)
  )
  .annotateEndpoints(MaximumBody, openBodyBytes) {}
