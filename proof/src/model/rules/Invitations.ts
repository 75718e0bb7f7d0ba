/**
 * Rules of invitations (specification, section 13).
 */
import { Name } from "@solar-sites/core/model"
import { Schema, SchemaTransformation } from "effect"
import { type Expected, emitMail, idOf, invalid, type OpenRule, ok, type Rule, refused, type Turn } from "../Call.ts"
import { given } from "../Input.ts"
import { between, Hole, later, newId } from "../Match.ts"
import { inOrder } from "../ModelState.ts"
import { type Invitation, roles, type User } from "../PeopleState.ts"
import { commonPassword } from "../steps/Administration.ts"
import {
  emitInvitation,
  forManager,
  isForeign,
  loginOf,
  manages,
  remove,
  roleInsufficient,
  stands,
  withLogin
} from "./Roles.ts"
import { opened } from "./Sessions.ts"
import { userCreated } from "./Users.ts"

const life = 7 * 86_400_000

const notFound = refused(404, "invitation_not_found")
export const linkInvalid = refused(410, "link_invalid")
export const emailTaken = refused(409, "email_taken")

/** The mail server may have accepted the mail already. */
const mailedAt = new Hole("an instant or null", (found) => found === null || !Number.isNaN(Date.parse(String(found))))

const json = (
  { model: { hasMail } }: Turn,
  { createdAt, email, expiresAt, id, name: invited, role }: Invitation
): Record<string, unknown> => ({
  ...{ id, email, name: invited, role, portfolioIds: null, createdAt, expiresAt, mailedAt: hasMail ? mailedAt : null }
})

/** The link of the answer; without one it is in a mail. */
const linkOf = ({ model, organisation: { links } }: Turn, invitation: Invitation): Hole | null => {
  if (model.hasMail) return null
  return new Hole("a link", (found) => {
    const [, token] = /^http:\/\/[^/]+\/invitation#(.{20,})$/.exec(String(found)) ?? []
    invitation.token = token ?? ""
    links.push(invitation.token)
    return token !== undefined
  })
}

/** The old link ends at once. A user of another organisation gets no new one. */
const mailLink = (turn: Turn, invitation: Invitation): void => {
  const isUser = withLogin(turn.model, invitation.email) !== undefined
  const link = isUser ? null : { of: "invitation" as const, id: invitation.id }
  invitation.token = ""
  emitMail(turn, turn.organisation, { to: invitation.email, subject: "Your invitation to Solar Sites", link })
}

const inNormalForm = SchemaTransformation.transform({
  decode: (text: string) => text.normalize("NFC").trim(),
  encode: (text: string) => text
})

export const Email = Schema.String.check(Schema.isPattern(/^\s*[^\s@]+@[^\s@]+\s*$/), Schema.isMaxLength(254)).pipe(
  Schema.decodeTo(Schema.String, inNormalForm)
)

const Request = Schema.Struct({
  email: Email,
  name: Schema.optionalKey(Schema.NullOr(Name)),
  role: Schema.Literals(roles)
})

const hasEmail =
  (given: string) =>
  (one: { readonly email: string }): boolean =>
    loginOf(one.email) === loginOf(given)

/** One that the user may change; `undefined` for others. */
const found = (turn: Turn, by: User): Invitation | undefined => {
  const invitation = turn.organisation.invitations.get(idOf(turn))
  return invitation !== undefined && manages(by.role, invitation.role) ? invitation : undefined
}

export const invitationRules: Readonly<Record<string, Rule>> = {
  listInvitations: (turn) =>
    ok(200, {
      data: inOrder(turn.organisation.invitations)
        .filter((one) => stands(turn.model, turn.organisation, one, turn.at))
        .map((one) => json(turn, one))
    }),
  createInvitation: forManager((turn, by) =>
    given(Request, turn.call, ({ email, name = null, role }) => {
      const { at, model, organisation } = turn
      if (!manages(by.role, role)) return roleInsufficient
      if (isForeign(model, organisation, email)) return refused(409, "domain_taken")
      if ([...organisation.users.values()].some(hasEmail(email))) return emailTaken
      const earlier = [...organisation.invitations.values()].find(hasEmail(email))
      if (earlier !== undefined && stands(model, organisation, earlier, at) && !manages(by.role, earlier.role)) {
        return roleInsufficient
      }
      const invitation: Invitation = {
        ...{ id: "", email, name, role, inviterId: by.id, token: "", createdAt: at, expiresAt: later(at, life) }
      }
      const id = newId(model, (found) => {
        invitation.id = found
        if (earlier !== undefined) remove(organisation, earlier)
        organisation.invitations.set(found, invitation)
        emitInvitation(turn, "invited", invitation)
        mailLink(turn, invitation)
      })
      return ok(201, { ...json(turn, invitation), id, link: linkOf(turn, invitation) })
    })
  ),
  renewInvitation: forManager((turn, by) => {
    const invitation = found(turn, by)
    if (invitation === undefined || !stands(turn.model, turn.organisation, invitation, turn.at)) return notFound
    invitation.expiresAt = later(turn.at, life)
    emitInvitation(turn, "invited", invitation)
    mailLink(turn, invitation)
    return ok(200, { ...json(turn, invitation), link: linkOf(turn, invitation) })
  }),
  withdrawInvitation: forManager((turn, by) => {
    const invitation = found(turn, by)
    if (invitation === undefined) return notFound
    remove(turn.organisation, invitation)
    emitInvitation(turn, "deleted", invitation)
    return ok(204)
  })
}

export const NewPassword = Schema.String.check(Schema.isMinLength(12))

/** One that the steps use, and that is easy to guess. */
export const weakPassword = (password: string): boolean => password === commonPassword

type Place = Pick<Turn, "model" | "organisation" | "at" | "call">

const ofLink =
  <Values extends { readonly token: string }>(
    schema: Schema.Decoder<Values>,
    answer: (place: Place, invitation: Invitation, values: Values) => Expected
  ): OpenRule =>
  (model, call, { from, to }) =>
    given(schema, call, (values) => {
      const at = between(from, to)
      for (const organisation of model.organisations) {
        const invitation = [...organisation.invitations.values()].find(({ token }) => token === values.token)
        if (invitation !== undefined && invitation.token !== "" && stands(model, organisation, invitation, at)) {
          return answer({ model, organisation, at, call }, invitation, values)
        }
      }
      return linkInvalid
    })

const Acceptance = Schema.Struct({ token: Schema.String, name: Name, password: NewPassword })

export const openInvitationRules = {
  lookAtInvitation: ofLink(Schema.Struct({ token: Schema.String }), ({ organisation }, invitation) => {
    const { email, expiresAt, inviterId, name, role } = invitation
    const inviter = organisation.users.get(inviterId)?.name
    return ok(200, { organisation: organisation.name, inviter, email, name, role, expiresAt })
  }),
  acceptInvitation: ofLink(Acceptance, ({ at, call, model, organisation }, invitation, { name, password }) => {
    const { email, id, role } = invitation
    if (weakPassword(password)) return invalid(["/password"])
    if (withLogin(model, email) !== undefined) return emailTaken
    organisation.invitations.delete(id)
    const user: User = {
      ...{ id, email, name, role, password, createdAt: { ...at }, lastLoginAt: null, passwordVersion: 1, factor: null }
    }
    userCreated({ organisation, at, call, caller: { key: null, userId: id } }, user)
    return opened(201, model, organisation, id, { at, call, method: "link" })
  })
}
