/** The own account: name, digest, password, e-mail address. */
import { Name } from "@solar-sites/core"
import type { HostEndpoint, HostEndpointRequest } from "@solar-sites/http-node"
import { Effect, Option, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Access } from "../../console/Access.ts"
import { asUser } from "../../console/AsUser.ts"
import { body } from "../../console/Body.ts"
import { sessionMissing } from "../../console/ConsoleProblems.ts"
import { DigestChoice } from "../../digest/DigestChoice.ts"
import { DigestStore } from "../../digest/DigestStore.ts"
import * as Letters from "../../mail/Letters.ts"
import { Mailer } from "../../mail/Mailer.ts"
import { MailLimits } from "../../mail/MailLimits.ts"
import { mailNotConfigured, refuseFullQueue, refuseMail } from "../login/LinkProblems.ts"
import { newPasswordRefusals, passwordRefusals } from "../login/LoginProblems.ts"
import { NewPassword } from "../login/Password.ts"
import { PasswordCheck } from "../login/PasswordCheck.ts"
import { PasswordHasher } from "../login/PasswordHasher.ts"
import { UserLinks } from "../login/UserLinks.ts"
import type { Session } from "../sessions/Sessions.ts"
import { ownSession } from "../sessions/UserSessionEndpoints.ts"
import { UserSessions } from "../sessions/UserSessions.ts"
import { Email, type User } from "./User.ts"
import { UserChanges } from "./UserChanges.ts"
import type { Credentials } from "./UserLookUps.ts"
import { Users } from "./Users.ts"

const path = "/console/account"

const readChange = body(Schema.Struct({ name: Schema.optionalKey(Name), digest: Schema.optionalKey(DigestChoice) }))
const readPassword = body(Schema.Struct({ currentPassword: Schema.String, password: NewPassword }))
const readEmail = body(Schema.Struct({ email: Email, password: Schema.String }))

const document = ({ email, id, name, role }: Pick<User, "id" | "email" | "name" | "role">, digest: DigestChoice) => ({
  id,
  email,
  name,
  role,
  digest
})

export const accountEndpoints = (
  access: Access
): Effect.Effect<
  ReadonlyArray<HostEndpoint>,
  never,
  DigestStore | Mailer | MailLimits | PasswordCheck | PasswordHasher | UserChanges | UserLinks | UserSessions | Users
> =>
  Effect.gen(function* () {
    const passwords = yield* PasswordCheck
    const hasher = yield* PasswordHasher
    const users = yield* Users
    const changes = yield* UserChanges
    const sessions = yield* UserSessions
    const links = yield* UserLinks
    const mailer = yield* Mailer
    const limits = yield* MailLimits
    const digests = yield* DigestStore

    const forUser = asUser(access)

    /** A wrong password counts as a failed login. */
    const verify = ({ clientAddress }: HostEndpointRequest, { user }: Session, password: string) =>
      Effect.catchTags(passwords.verify({ email: user.email, password, clientAddress }), passwordRefusals)

    const answer = Effect.fnUntraced(function* ({ organisation }: Session, user: Parameters<typeof document>[0]) {
      const digest = yield* digests.choiceOf(organisation.id, user.id)
      // The user was deleted meanwhile.
      if (Option.isNone(digest)) return yield* sessionMissing
      return HttpServerResponse.jsonUnsafe(document(user, digest.value))
    })

    const show = (_: HostEndpointRequest, session: Session) => answer(session, session.user)

    const update = Effect.fnUntraced(function* (incoming: HostEndpointRequest, session: Session) {
      const { organisation, user } = session
      const updating = changes.update(organisation.id, user.id, yield* readChange(incoming), user)
      const updated = yield* Effect.catchTags(updating, {
        // The user was deleted, or its role changed, since the look-up of the session.
        UserNotFound: () => Effect.fail(sessionMissing),
        RoleInsufficient: () => Effect.fail(sessionMissing),
        LastOwner: Effect.die
      })
      return yield* answer(session, updated)
    })

    const changePassword = Effect.fnUntraced(function* (incoming: HostEndpointRequest, session: Session) {
      const { currentPassword, password } = yield* readPassword(incoming)
      const verified = yield* verify(incoming, session, currentPassword)
      const { organisation, user } = session
      const hashing = hasher.withPermit(hasher.hashNew(password, [user.name, user.email, organisation.name]))
      const hash = yield* Effect.catchTags(hashing, newPasswordRefusals)
      // Another change came first: the given password is no longer the current one.
      if (!(yield* sessions.changePassword(ownSession(session), verified, hash))) {
        return yield* passwordRefusals.LoginFailed()
      }
      const { email, name } = session.user
      yield* mailer.send(Effect.succeed({ to: email, letter: Letters.passwordChanged(name) }))
      return HttpServerResponse.empty({ status: 204 })
    })

    /** No mail to an address of another user, or once the password is another one. */
    const confirmation = Effect.fnUntraced(function* (
      { organisation, user }: Session,
      { passwordVersion }: Credentials,
      email: string
    ) {
      const found = yield* users.findByLogin(email)
      if (Option.isSome(found) && (found.value.user.id !== user.id || email === user.email)) return null
      const owner = { id: user.id, organisationId: organisation.id, passwordVersion }
      const link = yield* links.issue(owner, "email", email)
      return Option.isNone(link) ? null : { to: email, letter: Letters.emailConfirmation(user.name, link.value.token) }
    })

    // The answer and its time are the same for a free and a taken address.
    const changeEmail = Effect.fnUntraced(function* (incoming: HostEndpointRequest, session: Session) {
      const { email, password } = yield* readEmail(incoming)
      if (!mailer.isConfigured) return yield* mailNotConfigured
      const verified = yield* verify(incoming, session, password)
      const retryAfter = yield* limits.takeNamed(session.organisation.id, email)
      if (retryAfter !== null) return yield* refuseMail({ retryAfter })
      if (!(yield* mailer.send(confirmation(session, verified, email)))) return yield* refuseFullQueue()
      return HttpServerResponse.empty({ status: 202 })
    })

    return [
      { method: "GET", path, serve: forUser(show) },
      { method: "PUT", path, serve: forUser(update) },
      { method: "PUT", path: `${path}/password`, serve: forUser(changePassword) },
      { method: "POST", path: `${path}/email`, serve: forUser(changeEmail) }
    ]
  })
