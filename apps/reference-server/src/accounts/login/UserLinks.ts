/** Links of users: for a new password, within an hour, and for a new e-mail address, within a day. */
import { PgClient } from "@solar-sites/adapter-postgres"
import { IdGenerator } from "@solar-sites/core"
import { DateTime, Duration, Effect } from "effect"
import { linkHours } from "../AccountPolicy.ts"
import { asUser, makeCommands } from "../Commands.ts"
import { loginOf, type UserIds } from "../people/User.ts"
import * as LinkToken from "../sessions/SessionToken.ts"
import {
  confirmEmail,
  findsOfLinks,
  issueLink,
  LinkInvalid,
  type LinkPurpose,
  resetPassword,
  validLink
} from "./LinkRules.ts"
import { findLinkOwner } from "./LinkStatements.ts"
import type { Password } from "./Password.ts"
import { PasswordHasher } from "./PasswordHasher.ts"

const lives = { reset: Duration.hours(linkHours.reset), email: Duration.hours(linkHours.email) }

/** `passwordVersion` is a condition: the user has given the password of this version. */
type LinkOwner = UserIds & { readonly passwordVersion?: number }

/** The digest of a token in a request. */
export const digestIn = (text: string): Effect.Effect<string, LinkInvalid> => {
  const token = LinkToken.parse(text)
  return token === undefined ? Effect.fail(new LinkInvalid()) : Effect.succeed(LinkToken.digest(token))
}

export const userLinks = Effect.gen(function* () {
  const findOwner = findLinkOwner(yield* PgClient)
  const { decide, load } = yield* makeCommands
  const hasher = yield* PasswordHasher
  const nextId = yield* IdGenerator

  /** The user of a link, and the address that the link is for. By digest alone: a token names no organisation. */
  const find = Effect.fnUntraced(function* (purpose: LinkPurpose, digest: string) {
    const { organisationId, userId } = yield* findOwner(digest)
    if (userId === null) return yield* new LinkInvalid()
    const owner = { organisationId, id: userId }
    const found = yield* load("UserLinks.find", organisationId, findsOfLinks(owner))
    const { link } = yield* Effect.fromResult(validLink(found, owner, purpose, digest, yield* DateTime.now))
    return { ...owner, email: link.email }
  })

  return {
    find,

    /**
     * Makes a link that replaces the earlier one for the purpose. Null if the user is deleted or the
     * organisation inactive, or if the password has another version than a given one. `email` is
     * the address that the link is for. `expiresAt` is in milliseconds.
     */
    issue: Effect.fn("UserLinks.issue")(function* (user: LinkOwner, purpose: LinkPurpose, email: string) {
      const token = yield* LinkToken.generate
      const createdAt = yield* DateTime.now
      const expiresAt = DateTime.addDuration(createdAt, lives[purpose])
      const digest = LinkToken.digest(token)
      const link = { id: yield* nextId, purpose, digest, email, login: loginOf(email), createdAt, expiresAt }
      const isIssued = yield* decide(issueLink(user, link, user.passwordVersion))
      return isIssued ? { token, expiresAt: expiresAt.epochMilliseconds } : null
    }),

    /** Ends all sessions and links of the user. The password is hashed for valid links only. */
    setPassword: Effect.fn("UserLinks.setPassword")(function* (text: string, password: Password) {
      const digest = yield* digestIn(text)
      const link = yield* find("reset", digest)
      const hash = yield* hasher.withPermit(hasher.hashNew(password, [link.email]))
      return yield* asUser(link)(decide(resetPassword(link, digest, hash)))
    }),

    /** Ends all links of the user. */
    confirmEmail: Effect.fn("UserLinks.confirmEmail")(function* (text: string) {
      const digest = yield* digestIn(text)
      const link = yield* find("email", digest)
      return yield* asUser(link)(decide(confirmEmail(link, digest)))
    })
  }
})
