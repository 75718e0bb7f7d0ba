/** Services of invitations, links and sessions of users. Expired links are deleted every hour. */
import type { PgClient } from "@solar-sites/adapter-postgres"
import type { RateLimiter } from "@solar-sites/core"
import { Clock, Effect, Layer, Schedule } from "effect"
import { InvitationStore } from "../accounts/InvitationStore.ts"
import { Invitations } from "../accounts/Invitations.ts"
import { MailLimits } from "../accounts/MailLimits.ts"
import { PasswordHasher } from "../accounts/PasswordHasher.ts"
import { PasswordResets } from "../accounts/PasswordResets.ts"
import { UserLinkStore } from "../accounts/UserLinkStore.ts"
import { UserLinks } from "../accounts/UserLinks.ts"
import { UserSessions } from "../accounts/UserSessions.ts"
import { UserStore } from "../accounts/UserStore.ts"
import { Mailer, type MailerOptions } from "../mail/Mailer.ts"

export type LinkServices =
  | Invitations
  | MailLimits
  | Mailer
  | PasswordHasher
  | PasswordResets
  | UserLinks
  | UserSessions
  | UserStore

const purging = Layer.effectDiscard(
  UserLinkStore.use(({ deleteEnded }) =>
    Effect.flatMap(Clock.currentTimeMillis, deleteEnded).pipe(
      Effect.catchCause((cause) => Effect.logWarning("deletion of expired links failed", cause)),
      Effect.repeat(Schedule.spaced("1 hour")),
      Effect.forkScoped
    )
  )
)

/** Without rate limits, mails have none either. */
export const linkServices = (
  mail: MailerOptions,
  isLimited: boolean
): Layer.Layer<LinkServices, never, PgClient | RateLimiter> =>
  Layer.mergeAll(Invitations.layer, PasswordResets.layer, UserSessions.layer, purging).pipe(
    Layer.provideMerge(UserLinks.layer),
    Layer.provide(Layer.merge(InvitationStore.layer, UserLinkStore.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        Mailer.layer(mail),
        isLimited ? MailLimits.layer : MailLimits.layerUnlimited,
        UserStore.layer,
        PasswordHasher.layer
      )
    )
  )
