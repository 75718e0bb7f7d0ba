/** Serves invitations to owners and admins with a session, and to the holder of the link. */
import { instantText } from "@solar-sites/core"
import { type HostEndpoint, type HostEndpointRequest, hostGroup, reply, replyNothing } from "@solar-sites/http-node"
import { Effect } from "effect"
import type { Access } from "../../console/Access.ts"
import { InvitationsApi, ReceivedInvitationsApi } from "../../console/contract/InvitationsApi.ts"
import { accountIdOr } from "../../console/PathIds.ts"
import { CurrentSession, withLink, withSession } from "../../console/WithSession.ts"
import { linkPath } from "../../mail/Letters.ts"
import { invitationNotFound } from "../AccountProblems.ts"
import { sessionDocument } from "../login/SessionEndpoints.ts"
import { Sessions } from "../sessions/Sessions.ts"
import type { IssuedInvitation } from "./InvitationMails.ts"
import type { Invitation } from "./InvitationRules.ts"
import { Invitations } from "./Invitations.ts"

const shown = ({ createdAt, email, expiresAt, id, mailedAt, name, portfolioIds, role }: Invitation) => ({
  id,
  email,
  name,
  role,
  portfolioIds,
  createdAt: instantText(createdAt),
  expiresAt: instantText(expiresAt),
  mailedAt: mailedAt === null ? null : instantText(mailedAt)
})

/** The link begins with the origin of the request, which was checked to be that of the console. */
const issued = ({ request }: HostEndpointRequest, { invitation, token }: IssuedInvitation) => ({
  ...shown(invitation),
  link: token === null ? null : `${request.headers["origin"] ?? ""}${linkPath("invitation", token)}`
})

const idIn = accountIdOr(invitationNotFound)

/** Without passwords invitations are neither made nor accepted: the provider decides about users. */
export const invitationEndpoints = (
  access: Access
): Effect.Effect<ReadonlyArray<HostEndpoint>, never, Invitations | Sessions> =>
  Effect.gen(function* () {
    const invitations = yield* Invitations
    const sessions = yield* Sessions

    const managed = hostGroup(InvitationsApi, withSession(access), {
      list: Effect.fnUntraced(function* () {
        return reply({ data: (yield* invitations.list(yield* CurrentSession)).map(shown) })
      }),
      create: Effect.fnUntraced(function* ({ incoming, payload: { name = null, ...invited } }) {
        const created = yield* invitations.create(yield* CurrentSession, { ...invited, name })
        return reply(issued(incoming, created), { status: 201 })
      }),
      renew: Effect.fnUntraced(function* ({ incoming, params }) {
        return reply(issued(incoming, yield* invitations.renew(yield* CurrentSession, yield* idIn(params))))
      }),
      withdraw: Effect.fnUntraced(function* ({ params }) {
        yield* invitations.withdraw(yield* CurrentSession, yield* idIn(params))
        return replyNothing
      })
    })

    const received = hostGroup(ReceivedInvitationsApi, withLink(access), {
      look: Effect.fnUntraced(function* ({ payload: { token } }) {
        const { email, expiresAt, inviter, name, organisation, role } = yield* invitations.look(token)
        return reply({ organisation, inviter, email, name, role, expiresAt: instantText(expiresAt) })
      }),
      accept: Effect.fnUntraced(function* ({ incoming: { identify, request }, payload }) {
        const browser = { replaces: access.cookie.read(request.headers), userAgent: request.headers["user-agent"] }
        const user = yield* invitations.accept(payload)
        const { session, token } = yield* sessions.open({ user, passwordVersion: 1 }, { method: "link", ...browser })
        identify(session.caller)
        return reply(sessionDocument(session), { status: 201, headers: access.cookie.set(token) })
      })
    })

    return [...managed, ...received]
  })
