/** Serves new passwords and e-mail addresses by links. */
import { PgClient } from "@solar-sites/adapter-postgres"
import { hostGroup, reply } from "@solar-sites/http-node"
import { Clock, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { inBackground } from "../../background.ts"
import type { Access } from "../../console/Access.ts"
import { LinksApi, PasswordResetsApi } from "../../console/contract/LinksApi.ts"
import { withLink, withoutSession } from "../../console/WithSession.ts"
import * as Letters from "../../mail/Letters.ts"
import { Mailer, MailQueueFull } from "../../mail/Mailer.ts"
import { MailLimits } from "../../mail/MailLimits.ts"
import { userLookUps } from "../people/UserLookUps.ts"
import { deleteExpiredLinks } from "./LinkStatements.ts"
import { userLinks } from "./UserLinks.ts"

/** Expired links are deleted every hour. */
export const linkEndpoints = (access: Access) =>
  Effect.gen(function* () {
    const client = yield* PgClient
    const links = yield* userLinks
    const requestReset = yield* passwordResets(yield* userLookUps, links)
    const mailer = yield* Mailer

    const requests = hostGroup(PasswordResetsApi, withoutSession(access), {
      request: Effect.fnUntraced(function* ({ incoming: { clientAddress }, payload: { email } }) {
        if (access.passwords) yield* requestReset(email, clientAddress)
        return HttpServerResponse.empty({ status: 202 })
      })
    })

    const uses = hostGroup(LinksApi, withLink(access), {
      complete: Effect.fnUntraced(function* ({ payload: { password, token } }) {
        const { email, name } = yield* links.setPassword(token, password)
        yield* mailer.send(Effect.succeed({ to: email, letter: Letters.passwordChanged(name) }))
        return reply({ email })
      }),
      confirmEmail: Effect.fnUntraced(function* ({ payload: { token } }) {
        const { emailBefore, user } = yield* links.confirmEmail(token)
        yield* mailer.send(Effect.succeed({ to: emailBefore, letter: Letters.emailChanged(user.name) }))
        return reply({ email: user.email })
      })
    })

    yield* Effect.flatMap(Clock.currentTimeMillis, deleteExpiredLinks(client)).pipe(
      inBackground("1 hour", "deletion of expired links failed")
    )

    return [...requests, ...uses]
  })

/**
 * Sends a link if the address has a user; returns at once. Above the limits it sends nothing. The address is looked up
 * after the response, so that neither its content nor its time tells whether it has a user.
 */
export const passwordResets = Effect.fnUntraced(function* (
  { findByLogin }: Pick<Effect.Success<typeof userLookUps>, "findByLogin">,
  { issue }: Pick<Effect.Success<typeof userLinks>, "issue">
) {
  const mailer = yield* Mailer
  const limits = yield* MailLimits

  const mailOf = Effect.fn("PasswordResets.mailOf")(function* (email: string) {
    const found = yield* findByLogin(email)
    if (found === null) return null
    const { user } = found
    const link = yield* issue(user, "reset", user.email)
    return link && { to: user.email, letter: Letters.passwordReset(user.name, link.token) }
  })

  return Effect.fnUntraced(function* (email: string, clientAddress: string | undefined) {
    if (!mailer.isConfigured) return yield* Effect.logWarning("password reset requested, but SMTP_URL is not set")
    // First, so that a flood takes no place in the queue.
    if ((yield* limits.takeReset(email, clientAddress)) !== null) return
    if (!(yield* mailer.send(mailOf(email), { isOpen: true }))) return yield* new MailQueueFull()
  })
})
