/** Invitations: made by owners and admins with a session, accepted with the token of their link. */
import { Name } from "@solar-sites/core"
import type { HostEndpoint, HostEndpointRequest } from "@solar-sites/http-node"
import { DateTime, Effect, Option, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { LoginSettings } from "../../configuration/LoginSettings.ts"
import type { Access } from "../../console/Access.ts"
import { asUser, type ServeUser } from "../../console/AsUser.ts"
import { body, openBody } from "../../console/Body.ts"
import { loginFailed, passwordLoginOff, roleInsufficient } from "../../console/ConsoleProblems.ts"
import { linkPath } from "../../mail/Letters.ts"
import { creationRefusals, invitationRefusals, limitLinks, linkRefusals } from "../login/LinkProblems.ts"
import { newPasswordRefusals } from "../login/LoginProblems.ts"
import { NewPassword } from "../login/Password.ts"
import { sessionDocument } from "../login/SessionEndpoints.ts"
import { mayManage, Role } from "../people/Role.ts"
import { Email, parseAccountId } from "../people/User.ts"
import { type Session, Sessions } from "../sessions/Sessions.ts"
import type { IssuedInvitation } from "./InvitationMails.ts"
import type { Invitation } from "./InvitationRules.ts"
import { Invitations } from "./Invitations.ts"

const path = "/console/invitations"

// As in the API, null in a POST means absent.
const readNew = body(Schema.Struct({ email: Email, name: Schema.optionalKey(Schema.NullOr(Name)), role: Role }))
const readToken = openBody(Schema.Struct({ token: Schema.String }))
const readAcceptance = openBody(Schema.Struct({ token: Schema.String, name: Name, password: NewPassword }))

const instant = (milliseconds: number): string => DateTime.formatIso(DateTime.makeUnsafe(milliseconds))

const document = ({ createdAt, email, expiresAt, id, mailedAt, name, role }: Invitation) => ({
  id,
  email,
  name,
  role,
  createdAt: instant(createdAt),
  expiresAt: instant(expiresAt),
  mailedAt: mailedAt === null ? null : instant(mailedAt)
})

/** The link begins with the origin of the request, which was checked to be that of the console. */
const issuedDocument = ({ request }: HostEndpointRequest, { invitation, token }: IssuedInvitation) => ({
  ...document(invitation),
  link: token === null ? null : `${request.headers["origin"] ?? ""}${linkPath("invitation", token)}`
})

const idIn = ({ params }: HostEndpointRequest) =>
  Option.match(parseAccountId(params["id"]), {
    onNone: invitationRefusals.InvitationNotFound,
    onSome: (id) => Effect.succeed(id)
  })

/** Without passwords invitations are neither made nor accepted: the provider decides about users. */
export const invitationEndpoints = (
  access: Access,
  { passwords }: LoginSettings
): Effect.Effect<ReadonlyArray<HostEndpoint>, never, Invitations | Sessions> =>
  Effect.gen(function* () {
    const invitations = yield* Invitations
    const sessions = yield* Sessions
    const { cookie, requireOrigin } = access

    const forUser = asUser(access)

    /** Serves as an owner or admin; refuses others before the body is read. */
    const forManager = (serve: ServeUser) =>
      forUser((incoming, session) =>
        mayManage(session.user.role, "viewer") ? serve(incoming, session) : Effect.fail(roleInsufficient("admin"))
      )

    const list = (_: HostEndpointRequest, { organisation }: Session) =>
      Effect.map(invitations.list(organisation.id), (all) => HttpServerResponse.jsonUnsafe({ data: all.map(document) }))

    const requirePasswords = passwords ? Effect.void : Effect.fail(passwordLoginOff)

    const create = Effect.fnUntraced(function* (incoming: HostEndpointRequest, session: Session) {
      yield* requirePasswords
      const { email, name = null, role } = yield* readNew(incoming)
      const creating = invitations.create(session, { email, name, role })
      const issued = yield* Effect.catchTags(creating, creationRefusals)
      return HttpServerResponse.jsonUnsafe(issuedDocument(incoming, issued), { status: 201 })
    })

    const renew = Effect.fnUntraced(function* (incoming: HostEndpointRequest, session: Session) {
      yield* requirePasswords
      const renewing = invitations.renew(session, yield* idIn(incoming))
      return HttpServerResponse.jsonUnsafe(
        issuedDocument(incoming, yield* Effect.catchTags(renewing, invitationRefusals))
      )
    })

    const withdraw = Effect.fnUntraced(function* (incoming: HostEndpointRequest, session: Session) {
      const withdrawing = invitations.withdraw(session, yield* idIn(incoming))
      yield* Effect.catchTag(withdrawing, "InvitationNotFound", invitationRefusals.InvitationNotFound)
      return HttpServerResponse.empty({ status: 204 })
    })

    const look = Effect.fnUntraced(function* (incoming: HostEndpointRequest) {
      yield* requireOrigin(incoming.request)
      const looking = Effect.flatMap(readToken(incoming), ({ token }) =>
        Effect.catchTag(invitations.look(token), "LinkInvalid", linkRefusals.LinkInvalid)
      )
      const { email, expiresAt, inviter, name, organisation, role } = yield* limitLinks(incoming, looking)
      return HttpServerResponse.jsonUnsafe({ organisation, inviter, email, name, role, expiresAt: instant(expiresAt) })
    })

    const accept = Effect.fnUntraced(function* (incoming: HostEndpointRequest) {
      const { identify, request } = incoming
      yield* requireOrigin(request)
      yield* requirePasswords
      const accepted = readAcceptance(incoming).pipe(
        Effect.flatMap(invitations.accept),
        Effect.flatMap((user) =>
          sessions.open(
            { user, passwordVersion: 1 },
            { method: "link", replaces: cookie.read(request.headers), userAgent: request.headers["user-agent"] }
          )
        ),
        Effect.catchTags({
          ...linkRefusals,
          ...newPasswordRefusals,
          LoginFailed: () => Effect.fail(loginFailed)
        })
      )
      const { session, token } = yield* limitLinks(incoming, accepted)
      identify(session.caller)
      return HttpServerResponse.jsonUnsafe(sessionDocument(session), { status: 201, headers: cookie.set(token) })
    })

    return [
      { method: "GET", path, serve: forUser(list) },
      { method: "POST", path, serve: forManager(create) },
      { method: "POST", path: `${path}/look`, serve: look },
      { method: "POST", path: `${path}/accept`, serve: accept },
      { method: "POST", path: `${path}/:id/resend`, serve: forManager(renew) },
      { method: "DELETE", path: `${path}/:id`, serve: forManager(withdraw) }
    ]
  })
