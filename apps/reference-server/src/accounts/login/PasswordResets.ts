/**
 * Requests for a new password. The address is looked up after the response, so that neither its
 * content nor its time tells whether it has a user.
 */
import { Effect, Option } from "effect"
import * as Letters from "../../mail/Letters.ts"
import { Mailer, MailQueueFull } from "../../mail/Mailer.ts"
import { MailLimits } from "../../mail/MailLimits.ts"
import { Users } from "../people/Users.ts"
import { UserLinks } from "./UserLinks.ts"

/** Sends a link if the address has a user; returns at once. Above the limits it sends nothing. */
export const passwordResets = Effect.gen(function* () {
  const users = yield* Users
  const links = yield* UserLinks
  const mailer = yield* Mailer
  const limits = yield* MailLimits

  const mailOf = Effect.fn("PasswordResets.mailOf")(function* (email: string) {
    const found = yield* users.findByLogin(email)
    if (Option.isNone(found)) return null
    const { user } = found.value
    const link = yield* links.issue(user, "reset", user.email)
    if (Option.isNone(link)) return null
    return { to: user.email, letter: Letters.passwordReset(user.name, link.value.token) }
  })

  return Effect.fnUntraced(function* (email: string, clientAddress: string | undefined) {
    if (!mailer.isConfigured) return yield* Effect.logWarning("password reset requested, but SMTP_URL is not set")
    // First, so that a flood takes no place in the queue.
    if ((yield* limits.takeReset(email, clientAddress)) !== null) return
    if (!(yield* mailer.send(mailOf(email), { isOpen: true }))) return yield* new MailQueueFull()
  })
})
