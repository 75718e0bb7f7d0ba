/** Serves invitations to owners and admins with a session, and to the holder of the link. */
import { type HostEndpointRequest, hostGroup, reply, replyNothing } from "@solar-sites/http-node"
import { Effect, Struct } from "effect"
import type { Access } from "../../console/Access.ts"
import { problems } from "../../console/ConsoleProblems.ts"
import { InvitationsApi, ReceivedInvitationsApi } from "../../console/contract/InvitationsApi.ts"
import { accountIdOr, currentUser, withLink, withSession } from "../../console/WithSession.ts"
import { linkPath } from "../../mail/Letters.ts"
import { browserOf, sessionDocument } from "../sessions/SessionEndpoints.ts"
import type { ShownInvitation } from "./InvitationRules.ts"
import { type IssuedInvitation, invitations } from "./Invitations.ts"

const shown = (invitation: ShownInvitation) =>
  Struct.pick(invitation, ["id", "email", "name", "role", "portfolioIds", "createdAt", "expiresAt", "mailedAt"])

/** The link begins with the origin of the request, which was checked to be that of the console. */
const issued = ({ request }: HostEndpointRequest, { invitation, token }: IssuedInvitation) => ({
  ...shown(invitation),
  link: token === null ? null : `${request.headers["origin"] ?? ""}${linkPath("invitation", token)}`
})

const idIn = accountIdOr(problems.invitation_not_found)

/** Without passwords invitations are neither made nor accepted: the provider decides about users. */
export const invitationEndpoints = (access: Access) =>
  Effect.gen(function* () {
    const { accept, create, list, look, renew, withdraw } = yield* invitations

    const managed = hostGroup(InvitationsApi, withSession(access), {
      list: Effect.fnUntraced(function* () {
        return reply({ data: (yield* list(yield* currentUser)).map(shown) })
      }),
      create: Effect.fnUntraced(function* ({ incoming, payload: { name = null, ...invited } }) {
        const created = yield* create(yield* currentUser, { ...invited, name })
        return reply(issued(incoming, created), { status: 201 })
      }),
      renew: Effect.fnUntraced(function* ({ incoming, params }) {
        return reply(issued(incoming, yield* renew(yield* currentUser, yield* idIn(params))))
      }),
      withdraw: Effect.fnUntraced(function* ({ params }) {
        yield* withdraw(yield* currentUser, yield* idIn(params))
        return replyNothing
      })
    })

    const received = hostGroup(ReceivedInvitationsApi, withLink(access), {
      look: Effect.fnUntraced(function* ({ payload: { token } }) {
        const invitation = yield* look(token)
        return reply(Struct.pick(invitation, ["organisation", "inviter", "email", "name", "role", "expiresAt"]))
      }),
      accept: Effect.fnUntraced(function* ({ incoming: { identify, request }, payload }) {
        const user = yield* accept(payload)
        const { session, token } = yield* access.sessions.open(
          { user, passwordVersion: 1 },
          { method: "link", ...browserOf(access, request) }
        )
        identify(session.caller)
        return reply(sessionDocument(session), { status: 201, headers: access.cookie.set(token) })
      })
    })

    return [...managed, ...received]
  })
