/**
 * The sessions of a user: listed and ended, by the user or by a manager; and the change of the own password, which ends
 * all others.
 */
import type { OrganisationId, Records, RepositoryError, UserId } from "@solar-sites/core"
import { Clock, Context, DateTime, Effect, Layer } from "effect"
import { makeCommands } from "../Commands.ts"
import type { Authority } from "../people/Authority.ts"
import type { RoleInsufficient } from "../people/Role.ts"
import type { UserNotFound } from "../people/User.ts"
import { onUser } from "../people/UserKind.ts"
import type { Authenticated } from "../people/UserLookUps.ts"
import { findsOfPassword } from "../people/UserRules.ts"
import {
  changePassword,
  endManagedSessions,
  endSessions,
  type ListedSession,
  liveSessions,
  type OwnSession
} from "./UserSessionRules.ts"

export class UserSessions extends Context.Service<
  UserSessions,
  {
    /** Newest first, without ended ones. */
    readonly list: (own: OwnSession) => Effect.Effect<ReadonlyArray<ListedSession>, RepositoryError>

    /** False if the user has no session with this id, which is any text. */
    readonly end: (own: OwnSession, id: string) => Effect.Effect<boolean, RepositoryError>

    readonly endOthers: (own: OwnSession) => Effect.Effect<void, RepositoryError>

    /** Ends all sessions of a user. `by` has to manage this user. */
    readonly endManaged: (
      organisationId: OrganisationId,
      userId: UserId,
      by: Authority
    ) => Effect.Effect<void, RoleInsufficient | UserNotFound | RepositoryError>

    /**
     * Keeps only the own session. False if the password has changed since it was verified: one of
     * several concurrent changes wins.
     */
    readonly changePassword: (
      own: OwnSession,
      verified: Authenticated,
      passwordHash: string
    ) => Effect.Effect<boolean, RepositoryError>
  }
>()("@solar-sites/reference-server/UserSessions") {
  static readonly layer: Layer.Layer<UserSessions, never, Records> = Layer.effect(
    UserSessions,
    Effect.gen(function* () {
      const { decide, load } = yield* makeCommands

      const ofUser = (operation: string, { organisationId, userId }: Omit<OwnSession, "sessionId">) => ({
        ...onUser(`UserSessions.${operation}`, organisationId, userId),
        finds: findsOfPassword(userId)
      })

      return UserSessions.of({
        list: Effect.fnUntraced(function* ({ organisationId, userId }) {
          const now = DateTime.makeUnsafe(yield* Clock.currentTimeMillis)
          const found = yield* load("UserSessions.list", organisationId, findsOfPassword(userId))
          return liveSessions(found, userId, now)
        }),
        end: (own, id) =>
          decide({
            ...ofUser("end", own),
            rule: endSessions(own.userId, (session) => session.id === id.toLowerCase())
          }),
        endOthers: (own) =>
          Effect.asVoid(
            decide({ ...ofUser("endOthers", own), rule: endSessions(own.userId, ({ id }) => id !== own.sessionId) })
          ),
        endManaged: (organisationId, userId, by) =>
          decide({ ...ofUser("endManaged", { organisationId, userId }), rule: endManagedSessions(userId, by) }),
        changePassword: (own, verified, passwordHash) =>
          decide({ ...ofUser("changePassword", own), rule: changePassword(own, verified, passwordHash) })
      })
    })
  )
}
