/** Serves the own account: name, digest, password, e-mail address. */
import { type HostEndpointRequest, hostGroup, reply, replyNothing } from "@solar-sites/http-node"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Access } from "../../console/Access.ts"
import { problems } from "../../console/ConsoleProblems.ts"
import { AccountApi } from "../../console/contract/AccountApi.ts"
import { CurrentSession, withSession } from "../../console/WithSession.ts"
import { digestStore } from "../../digest/DigestStore.ts"
import * as Letters from "../../mail/Letters.ts"
import { Mailer, MailQueueFull } from "../../mail/Mailer.ts"
import { MailLimits } from "../../mail/MailLimits.ts"
import { makeCommands } from "../Commands.ts"
import { LoginFailed, passwordCheck } from "../login/PasswordCheck.ts"
import { PasswordHasher } from "../login/PasswordHasher.ts"
import { userLinks } from "../login/UserLinks.ts"
import { changePassword } from "../sessions/SessionRules.ts"
import type { Session } from "../sessions/Sessions.ts"
import type { User } from "./User.ts"
import { type Credentials, userLookUps } from "./UserLookUps.ts"
import { userChanges } from "./Users.ts"

export const accountEndpoints = (access: Access) =>
  Effect.gen(function* () {
    const verifyPassword = yield* passwordCheck
    const hasher = yield* PasswordHasher
    const { findByLogin } = yield* userLookUps
    const changes = yield* userChanges
    const { decide } = yield* makeCommands
    const links = yield* userLinks
    const mailer = yield* Mailer
    const limits = yield* MailLimits
    const digests = yield* digestStore

    /** A wrong password counts as a failed login. */
    const verify = ({ clientAddress }: HostEndpointRequest, { user }: Session, password: string) =>
      verifyPassword({ email: user.email, password, clientAddress })

    const shown = Effect.fnUntraced(function* ({ email, id, name, organisationId, role }: Omit<User, "createdAt">) {
      const digest = yield* digests.choiceOf({ organisationId, userId: id })
      // The user was deleted meanwhile.
      return digest === null ? yield* problems.session_missing : reply({ id, email, name, role, digest })
    })

    /** No mail to an address of another user, or once the password is another one. */
    const confirmation = Effect.fnUntraced(function* (
      { user }: Session,
      { passwordVersion }: Credentials,
      email: string
    ) {
      const found = yield* findByLogin(email)
      if (found !== null && (found.user.id !== user.id || email === user.email)) return null
      const link = yield* links.issue({ ...user, passwordVersion }, "email", email)
      return link && { to: email, letter: Letters.emailConfirmation(user.name, link.token) }
    })

    return hostGroup(AccountApi, withSession(access), {
      show: () => Effect.flatMap(CurrentSession, ({ user }) => shown(user)),
      update: Effect.fnUntraced(function* ({ payload }) {
        const { user } = yield* CurrentSession
        const updating = changes.updateOwn(user, payload)
        // The user was deleted since the look-up of the session.
        return yield* shown(
          yield* Effect.catchTag(updating, "UserNotFound", () => Effect.fail(problems.session_missing))
        )
      }),
      changePassword: Effect.fnUntraced(function* ({ incoming, payload: { currentPassword, password } }) {
        const session = yield* CurrentSession
        const verified = yield* verify(incoming, session, currentPassword)
        const { email, name } = session.user
        const hash = yield* hasher.withPermit(hasher.hashNew(password, [name, email, session.organisation.name]))
        // Another change came first: the given password is no longer the current one.
        if (!(yield* decide(changePassword(session, verified, hash)))) return yield* new LoginFailed()
        yield* mailer.send(Effect.succeed({ to: email, letter: Letters.passwordChanged(name) }))
        return replyNothing
      }),
      // The answer and its time are the same for a free and a taken address.
      changeEmail: Effect.fnUntraced(function* ({ incoming, payload: { email, password } }) {
        const session = yield* CurrentSession
        if (!mailer.isConfigured) return yield* problems.mail_not_configured
        const verified = yield* verify(incoming, session, password)
        yield* limits.takeNamed(session.organisation.id, email)
        if (!(yield* mailer.send(confirmation(session, verified, email)))) return yield* new MailQueueFull()
        return HttpServerResponse.empty({ status: 202 })
      })
    })
  })
