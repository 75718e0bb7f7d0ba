/** Links of users: for a new password, within an hour, and for a new e-mail address, within a day. */
import { Caller, CurrentCaller, IdGenerator, type RepositoryError } from "@solar-sites/core"
import { Clock, Context, Data, Duration, Effect, Layer, Option } from "effect"
import { linkHours } from "../AccountPolicy.ts"
import type { EmailTaken, User } from "../people/User.ts"
import * as LinkToken from "../sessions/SessionToken.ts"
import type { EmailChange, LinkPurpose } from "./LinkRules.ts"
import type { Password, PasswordRefused } from "./Password.ts"
import { type HasherOverloaded, PasswordHasher } from "./PasswordHasher.ts"
import { type FoundLink, type LinkOwner, UserLinkStore } from "./UserLinkStore.ts"

const lives = {
  reset: Duration.toMillis(Duration.hours(linkHours.reset)),
  email: Duration.toMillis(Duration.hours(linkHours.email))
}

/** Used, replaced, withdrawn, expired, unknown or malformed; the caller does not learn which. */
export class LinkInvalid extends Data.TaggedError("LinkInvalid")<Record<never, never>> {}

export const linkToken = (text: string): Effect.Effect<LinkToken.SessionToken, LinkInvalid> => {
  const token = LinkToken.parse(text)
  return token === undefined ? Effect.fail(new LinkInvalid()) : Effect.succeed(token)
}

export const validLink = <A>(found: Option.Option<A>): Effect.Effect<A, LinkInvalid> =>
  Option.isNone(found) ? Effect.fail(new LinkInvalid()) : Effect.succeed(found.value)

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

    /** Ends all sessions and links of the user. */
    readonly setPassword: (
      token: string,
      password: Password
    ) => Effect.Effect<User, LinkInvalid | HasherOverloaded | PasswordRefused | RepositoryError>

    /** Ends all links of the user. */
    readonly confirmEmail: (token: string) => Effect.Effect<EmailChange, LinkInvalid | EmailTaken | RepositoryError>
  }
>()("@solar-sites/reference-server/UserLinks") {
  static readonly layer: Layer.Layer<UserLinks, never, UserLinkStore | PasswordHasher> = Layer.effect(
    UserLinks,
    Effect.gen(function* () {
      const store = yield* UserLinkStore
      const hasher = yield* PasswordHasher
      const nextId = yield* IdGenerator

      const found = Effect.fnUntraced(function* (text: string, purpose: LinkPurpose) {
        const digest = LinkToken.digest(yield* linkToken(text))
        const now = yield* Clock.currentTimeMillis
        return { digest, link: yield* Effect.flatMap(store.find(purpose, digest, now), validLink) }
      })

      /** The user is the actor of the event. */
      const asUser = ({ organisationId, userId }: FoundLink) =>
        Effect.provideService(CurrentCaller, new Caller({ organisationId, userId, apiKeyId: null }))

      const issue: UserLinks["Service"]["issue"] = Effect.fn("UserLinks.issue")(function* (user, purpose, email) {
        const token = yield* LinkToken.generate
        const now = yield* Clock.currentTimeMillis
        const expiresAt = now + lives[purpose]
        const id = yield* nextId
        const link = { id, purpose, digest: LinkToken.digest(token), email, now, expiresAt }
        return (yield* store.insert(user, link)) ? Option.some({ token, expiresAt }) : Option.none()
      })

      // The password is hashed for valid links only.
      const setPassword = Effect.fn("UserLinks.setPassword")(function* (text: string, password: Password) {
        const { digest, link } = yield* found(text, "reset")
        const hash = yield* hasher.withPermit(hasher.hashNew(password, [link.email]))
        return yield* store.reset(link, digest, hash).pipe(asUser(link), Effect.flatMap(validLink))
      })

      const confirmEmail = Effect.fn("UserLinks.confirmEmail")(function* (text: string) {
        const { digest, link } = yield* found(text, "email")
        return yield* store.changeEmail(link, digest).pipe(asUser(link), Effect.flatMap(validLink))
      })

      return UserLinks.of({ issue, setPassword, confirmEmail })
    })
  )
}
