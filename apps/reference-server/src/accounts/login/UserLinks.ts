/** Links of users: for a new password, within an hour, and for a new e-mail address, within a day. */
import { PgClient } from "@solar-sites/adapter-postgres"
import { Caller, CurrentCaller, IdGenerator, type Records, type RepositoryError } from "@solar-sites/core"
import { Context, Data, DateTime, Duration, Effect, Layer, Option } from "effect"
import { linkHours } from "../AccountPolicy.ts"
import { makeCommands } from "../Commands.ts"
import { type EmailTaken, loginOf, type User } from "../people/User.ts"
import { onUser } from "../people/UserKind.ts"
import * as LinkToken from "../sessions/SessionToken.ts"
import {
  confirmEmail,
  type EmailChange,
  findsOfLinks,
  findsOfReset,
  issueLink,
  type LinkPurpose,
  type OwnerIds,
  resetPassword,
  validLink as validIn
} from "./LinkRules.ts"
import { findLinkOwner } from "./LinkStatements.ts"
import type { Password, PasswordRefused } from "./Password.ts"
import { type HasherOverloaded, PasswordHasher } from "./PasswordHasher.ts"

const lives = { reset: Duration.hours(linkHours.reset), email: Duration.hours(linkHours.email) }

/** `passwordVersion` is a condition: the user has given the password of this version. */
export interface LinkOwner extends Pick<User, "id" | "organisationId"> {
  readonly passwordVersion?: number
}

/** The user of a valid link, and the address that the link is for. */
export interface FoundLink extends OwnerIds {
  readonly email: string
}

/** Used, replaced, withdrawn, expired, unknown or malformed; the caller does not learn which. */
export class LinkInvalid extends Data.TaggedError("LinkInvalid")<Record<never, never>> {}

export const linkToken = (text: string): Effect.Effect<LinkToken.SessionToken, LinkInvalid> => {
  const token = LinkToken.parse(text)
  return token === undefined ? Effect.fail(new LinkInvalid()) : Effect.succeed(token)
}

export const validLink = <A>(found: A | null): Effect.Effect<A, LinkInvalid> =>
  found === null ? Effect.fail(new LinkInvalid()) : Effect.succeed(found)

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

    /** By digest alone: a token names no organisation. Null when the link is not valid. */
    readonly find: (purpose: LinkPurpose, digest: string) => Effect.Effect<FoundLink | null, RepositoryError>

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

      const ofOwner = (operation: string, { organisationId, userId }: OwnerIds) =>
        onUser(`UserLinks.${operation}`, organisationId, userId)

      const find = Effect.fnUntraced(function* (purpose: LinkPurpose, digest: string) {
        const found = yield* findOwner({ digest })
        if (found === null || found.userId === null) return null
        const owner = { organisationId: found.organisationId, userId: found.userId }
        const loaded = yield* load("UserLinks.find", owner.organisationId, findsOfLinks(owner))
        const valid = validIn(loaded, owner, purpose, digest, yield* DateTime.now)
        return valid === null ? null : { ...owner, email: valid.link.email }
      })

      const found = Effect.fnUntraced(function* (text: string, purpose: LinkPurpose) {
        const digest = LinkToken.digest(yield* linkToken(text))
        return { digest, link: yield* Effect.flatMap(find(purpose, digest), validLink) }
      })

      /** The user is the actor of the event. */
      const asUser = ({ organisationId, userId }: FoundLink) =>
        Effect.provideService(CurrentCaller, new Caller({ organisationId, userId, apiKeyId: null }))

      const issue: UserLinks["Service"]["issue"] = Effect.fn("UserLinks.issue")(function* (user, purpose, email) {
        const owner = { organisationId: user.organisationId, userId: user.id }
        const token = yield* LinkToken.generate
        const createdAt = yield* DateTime.now
        const expiresAt = DateTime.addDuration(createdAt, lives[purpose])
        const digest = LinkToken.digest(token)
        const link = { id: yield* nextId, purpose, digest, email, login: loginOf(email), createdAt, expiresAt }
        const rule = issueLink(owner, link, user.passwordVersion)
        const isIssued = yield* decide({ ...ofOwner("issue", owner), finds: findsOfLinks(owner), rule })
        return isIssued ? Option.some({ token, expiresAt: expiresAt.epochMilliseconds }) : Option.none()
      })

      // The password is hashed for valid links only.
      const setPassword = Effect.fn("UserLinks.setPassword")(function* (text: string, password: Password) {
        const { digest, link } = yield* found(text, "reset")
        const hash = yield* hasher.withPermit(hasher.hashNew(password, [link.email]))
        const rule = resetPassword(link, digest, hash)
        const setting = decide({ ...ofOwner("setPassword", link), finds: findsOfReset(link), rule })
        return yield* setting.pipe(asUser(link), Effect.flatMap(validLink))
      })

      return UserLinks.of({
        issue,
        find,
        setPassword,
        confirmEmail: Effect.fn("UserLinks.confirmEmail")(function* (text: string) {
          const { digest, link } = yield* found(text, "email")
          const rule = confirmEmail(link, digest)
          const confirming = decide({ ...ofOwner("confirmEmail", link), finds: findsOfLinks(link), rule })
          return yield* confirming.pipe(asUser(link), Effect.flatMap(validLink))
        })
      })
    })
  )
}
