/** Links of users: for a new password, within an hour, and for a new e-mail address, within a day. */
import { PgClient } from "@solar-sites/adapter-postgres"
import { IdGenerator, type Records, type RepositoryError } from "@solar-sites/core"
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { linkHours } from "../AccountPolicy.ts"
import { asUser, makeCommands } from "../Commands.ts"
import { type EmailTaken, loginOf, type User, type UserIds } from "../people/User.ts"
import * as LinkToken from "../sessions/SessionToken.ts"
import {
  confirmEmail,
  type EmailChange,
  findsOfLinks,
  issueLink,
  LinkInvalid,
  type LinkPurpose,
  resetPassword,
  validLink
} from "./LinkRules.ts"
import { findLinkOwner } from "./LinkStatements.ts"
import type { Password, PasswordRefused } from "./Password.ts"
import { type HasherOverloaded, PasswordHasher } from "./PasswordHasher.ts"

const lives = { reset: Duration.hours(linkHours.reset), email: Duration.hours(linkHours.email) }

/** `passwordVersion` is a condition: the user has given the password of this version. */
export type LinkOwner = UserIds & { readonly passwordVersion?: number }

/** The digest of a token in a request. */
export const digestIn = (text: string): Effect.Effect<string, LinkInvalid> => {
  const token = LinkToken.parse(text)
  return token === undefined ? Effect.fail(new LinkInvalid()) : Effect.succeed(LinkToken.digest(token))
}

/** The instant in milliseconds. */
export interface IssuedLink {
  readonly token: LinkToken.SessionToken
  readonly expiresAt: number
}

export class UserLinks extends Context.Service<
  UserLinks,
  {
    /**
     * Makes a link that replaces the earlier one for the purpose. None if the user is deleted or the
     * organisation inactive, or if the password has another version than a given one. `email` is
     * the address that the link is for.
     */
    readonly issue: (
      user: LinkOwner,
      purpose: LinkPurpose,
      email: string
    ) => Effect.Effect<Option.Option<IssuedLink>, RepositoryError>

    /** The user of a link, and the address that the link is for. By digest alone: a token names no organisation. */
    readonly find: (
      purpose: LinkPurpose,
      digest: string
    ) => Effect.Effect<UserIds & { readonly email: string }, LinkInvalid | RepositoryError>

    /** Ends all sessions and links of the user. */
    readonly setPassword: (
      token: string,
      password: Password
    ) => Effect.Effect<User, LinkInvalid | HasherOverloaded | PasswordRefused | RepositoryError>

    /** Ends all links of the user. */
    readonly confirmEmail: (token: string) => Effect.Effect<EmailChange, LinkInvalid | EmailTaken | RepositoryError>
  }
>()("@solar-sites/reference-server/UserLinks") {
  static readonly layer: Layer.Layer<UserLinks, never, PgClient | Records | PasswordHasher> = Layer.effect(
    UserLinks,
    Effect.gen(function* () {
      const findOwner = findLinkOwner(yield* PgClient)
      const { decide, load } = yield* makeCommands
      const hasher = yield* PasswordHasher
      const nextId = yield* IdGenerator

      const find = Effect.fnUntraced(function* (purpose: LinkPurpose, digest: string) {
        const { organisationId, userId } = yield* findOwner(digest)
        if (userId === null) return yield* new LinkInvalid()
        const owner = { organisationId, id: userId }
        const found = yield* load("UserLinks.find", organisationId, findsOfLinks(owner))
        const { link } = yield* Effect.fromResult(validLink(found, owner, purpose, digest, yield* DateTime.now))
        return { ...owner, email: link.email }
      })

      return UserLinks.of({
        find,

        issue: Effect.fn("UserLinks.issue")(function* (user, purpose, email) {
          const token = yield* LinkToken.generate
          const createdAt = yield* DateTime.now
          const expiresAt = DateTime.addDuration(createdAt, lives[purpose])
          const digest = LinkToken.digest(token)
          const link = { id: yield* nextId, purpose, digest, email, login: loginOf(email), createdAt, expiresAt }
          const isIssued = yield* decide(issueLink(user, link, user.passwordVersion))
          return isIssued ? Option.some({ token, expiresAt: expiresAt.epochMilliseconds }) : Option.none()
        }),

        // The password is hashed for valid links only.
        setPassword: Effect.fn("UserLinks.setPassword")(function* (text, password) {
          const digest = yield* digestIn(text)
          const link = yield* find("reset", digest)
          const hash = yield* hasher.withPermit(hasher.hashNew(password, [link.email]))
          return yield* asUser(link)(decide(resetPassword(link, digest, hash)))
        }),

        confirmEmail: Effect.fn("UserLinks.confirmEmail")(function* (text) {
          const digest = yield* digestIn(text)
          const link = yield* find("email", digest)
          return yield* asUser(link)(decide(confirmEmail(link, digest)))
        })
      })
    })
  )
}
