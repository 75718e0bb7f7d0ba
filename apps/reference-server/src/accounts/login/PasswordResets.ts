/**
 * Requests for a new password. The address is looked up after the response, so that neither its
 * content nor its time tells whether it has a user.
 */
import { Effect } from "effect"
import * as Letters from "../../mail/Letters.ts"
import { Mailer, MailQueueFull } from "../../mail/Mailer.ts"
import { MailLimits } from "../../mail/MailLimits.ts"
import type { userLookUps } from "../people/UserLookUps.ts"
import type { userLinks } from "./UserLinks.ts"

/** Sends a link if the address has a user; returns at once. Above the limits it sends nothing. */
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
