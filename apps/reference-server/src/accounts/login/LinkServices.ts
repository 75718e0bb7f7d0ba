/** Services of invitations, links and sessions of users. Expired links are deleted every hour. */
import { PgClient } from "@solar-sites/adapter-postgres"
import type { AccessChanges, RateLimiter, Records } from "@solar-sites/core"
import { Clock, Effect, Layer } from "effect"
import { inBackground } from "../../background.ts"
import { Mailer, type MailerOptions } from "../../mail/Mailer.ts"
import { MailLimits } from "../../mail/MailLimits.ts"
import { Invitations } from "../invitations/Invitations.ts"
import { UserChanges } from "../people/UserChanges.ts"
import { Users } from "../people/Users.ts"
import { UserSessions } from "../sessions/UserSessions.ts"
import { deleteExpiredLinks } from "./LinkStatements.ts"
import { PasswordHasher } from "./PasswordHasher.ts"
import { PasswordResets } from "./PasswordResets.ts"
import { UserLinks } from "./UserLinks.ts"

export type LinkServices =
  | Invitations
  | MailLimits
  | Mailer
  | PasswordHasher
  | PasswordResets
  | UserLinks
  | UserSessions
  | Users

const purging = Layer.effectDiscard(
  PgClient.use((client) =>
    Effect.flatMap(Clock.currentTimeMillis, deleteExpiredLinks(client)).pipe(
      inBackground("1 hour", "deletion of expired links failed")
    )
  )
)

/** Without rate limits, mails have none either. */
export const linkServices = (
  mail: MailerOptions,
  isLimited: boolean
): Layer.Layer<LinkServices, never, PgClient | Records | RateLimiter | AccessChanges> =>
  Layer.mergeAll(Invitations.layer, PasswordResets.layer, UserSessions.layer, purging).pipe(
    Layer.provideMerge(UserLinks.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        Mailer.layer(mail),
        isLimited ? MailLimits.layer : MailLimits.layerUnlimited,
        Layer.provideMerge(Users.layer, PasswordHasher.layer).pipe(Layer.provide(UserChanges.layer))
      )
    )
  )
