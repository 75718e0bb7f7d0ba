/**
 * Rules of the own account, and of links for new passwords and e-mail addresses (specification,
 * section 13; docs/people.md).
 */
import { Name } from "@solar-sites/core/model"
import { Schema } from "effect"
import {
  about,
  type Expected,
  emit,
  emitMail,
  invalid,
  type OpenRule,
  type Origin,
  ok,
  type Rule,
  refused,
  type Turn
} from "../Call.ts"
import { given } from "../Input.ts"
import { between, later } from "../Match.ts"
import type { ModelState } from "../ModelState.ts"
import type { User, UserLink } from "../PeopleState.ts"
import { Email, emailTaken, linkInvalid, NewPassword, weakPassword } from "./Invitations.ts"
import { userOf, withLogin } from "./Roles.ts"
import { credentialsChanged } from "./SessionEnds.ts"
import { changeUser, passwordWrong } from "./Users.ts"

const hour = 3_600_000
/** The mail is made so much after the answer. */
const mailDelay = 100

/** No step chooses how often the digest comes. */
const json = ({ email: address, id, name: called, role }: User) => ({
  ...{ id, email: address, name: called, role },
  digest: "weekly"
})

/** Links of the user end with the old password. */
const passwordChanged = (origin: Origin, user: User, password: string, kept?: Turn["caller"]["session"]): void => {
  user.password = password
  credentialsChanged(origin, user, kept)
  emit(origin, "user.updated", about("user", user), null, { password: { from: null, to: null } })
}

const changedMail = "Your password for Solar Sites was changed"

const subjects = { reset: "Set a new password for Solar Sites", email: "Confirm your e-mail address for Solar Sites" }

/** A link that replaces the earlier one for the purpose; its mail has the token. */
const issue = (
  turn: Pick<Turn, "model" | "organisation" | "at">,
  user: User,
  { purpose, to }: { readonly purpose: UserLink["purpose"]; readonly to: string }
): void => {
  const { model, organisation } = turn
  if (!model.hasMail) return
  const life = purpose === "reset" ? hour : 24 * hour
  const isOther = (link: UserLink) => link.userId !== user.id || link.purpose !== purpose
  organisation.userLinks = organisation.userLinks.filter(isOther)
  organisation.userLinks.push({
    ...{ purpose, userId: user.id, passwordVersion: user.passwordVersion, email: to, token: "" },
    expiresAt: later(turn.at, life + mailDelay)
  })
  emitMail(turn, organisation, { to, subject: subjects[purpose], link: { of: purpose, id: user.id } })
}

export const accountRules: Readonly<Record<string, Rule>> = {
  getAccount: (turn) => ok(200, json(userOf(turn))),
  updateAccount: (turn) =>
    given(Schema.Struct({ name: Schema.optionalKey(Name) }), turn.call, (values) => {
      const user = userOf(turn)
      changeUser(turn, user, values)
      return ok(200, json(user))
    }),
  changePassword: (turn) =>
    given(Schema.Struct({ currentPassword: Schema.String, password: NewPassword }), turn.call, (values) => {
      const user = userOf(turn)
      if (user.password !== values.currentPassword) return passwordWrong
      if (weakPassword(values.password)) return invalid(["/password"])
      passwordChanged(turn, user, values.password, turn.caller.session)
      emitMail(turn, turn.organisation, { to: user.email, subject: changedMail })
      return ok(204)
    }),
  changeEmail: (turn) =>
    given(Schema.Struct({ email: Email, password: Schema.String }), turn.call, ({ email: to, password }) => {
      const user = userOf(turn)
      if (!turn.model.hasMail) return refused(409, "mail_not_configured")
      if (user.password !== password) return passwordWrong
      const known = withLogin(turn.model, to)
      const isFree = known === undefined || (known.user.id === user.id && to !== user.email)
      if (isFree) issue(turn, user, { purpose: "email", to })
      else emitMail(turn, turn.organisation, { to, subject: subjects.email, isDue: false })
      return ok(202)
    })
}

type Used = { readonly model: ModelState; readonly origin: Origin; readonly user: User; readonly link: UserLink }

/** Uses the link of a body; the user of the link is the actor. */
const withLink =
  <Values extends { readonly token: string }>(
    purpose: UserLink["purpose"],
    schema: Schema.Decoder<Values>,
    use: (used: Used, values: Values) => Expected
  ): OpenRule =>
  (model, call, { from, to }) =>
    given(schema, call, (values) => {
      for (const organisation of model.organisations) {
        const link = organisation.userLinks.find((one) => one.token === values.token && one.purpose === purpose)
        const user = organisation.users.get(link?.userId ?? "")
        const isValid =
          organisation.status === "active" &&
          link?.passwordVersion === user?.passwordVersion &&
          from < (link?.expiresAt["@to"] ?? 0)
        if (link === undefined || user === undefined || !isValid) continue
        const origin = { organisation, at: between(from, to), call, caller: { key: null, userId: user.id } }
        return use({ model, origin, user, link }, values)
      }
      return linkInvalid
    })

const usedUp = ({ organisation }: Origin, { id }: User): void => {
  organisation.userLinks = organisation.userLinks.filter(({ userId }) => userId !== id)
}

const Reset = Schema.Struct({ token: Schema.String, password: NewPassword })

export const openAccountRules = {
  requestPasswordReset: (model, call, { from, to }) =>
    given(Schema.Struct({ email: Email }), call, ({ email }) => {
      const { organisation = model.organisations[0], user } = withLogin(model, email) ?? {}
      if (organisation === undefined) return ok(202)
      if (user !== undefined && organisation.status === "active") {
        issue({ model, organisation, at: between(from, to) }, user, { purpose: "reset", to: user.email })
      } else emitMail({ model }, organisation, { to: email, subject: subjects.reset, isDue: false })
      return ok(202)
    }),
  completePasswordReset: withLink("reset", Reset, ({ model, origin, user }, { password }) => {
    if (weakPassword(password)) return invalid(["/password"])
    passwordChanged(origin, user, password)
    usedUp(origin, user)
    emitMail({ model }, origin.organisation, { to: user.email, subject: changedMail })
    return ok(200, { email: user.email })
  }),
  confirmEmail: withLink("email", Schema.Struct({ token: Schema.String }), ({ link, model, origin, user }) => {
    if (user.email === link.email) return linkInvalid
    const known = withLogin(model, link.email)
    if (known !== undefined && known.user.id !== user.id) return emailTaken
    const before = user.email
    user.email = link.email
    emit(origin, "user.updated", about("user", user), null, { email: { from: before, to: user.email } })
    usedUp(origin, user)
    emitMail({ model }, origin.organisation, { to: before, subject: "Your e-mail address for Solar Sites was changed" })
    return ok(200, { email: user.email })
  })
} satisfies Record<string, OpenRule>
