/** Serves the users of the organisation. */
import { instantText, type OrganisationId } from "@solar-sites/core"
import { type HostEndpoint, hostGroup, reply, replyNothing } from "@solar-sites/http-node"
import { Effect } from "effect"
import type { Access } from "../../console/Access.ts"
import { userNotFound } from "../../console/ConsoleProblems.ts"
import { UsersApi } from "../../console/contract/UsersApi.ts"
import { accountIdOr } from "../../console/PathIds.ts"
import { CurrentSession, withSession } from "../../console/WithSession.ts"
import * as Letters from "../../mail/Letters.ts"
import { Mailer } from "../../mail/Mailer.ts"
import { ownSecondFactor } from "../AccountProblems.ts"
import { UserSessions } from "../sessions/UserSessions.ts"
import type { User } from "./User.ts"
import { UserChanges } from "./UserChanges.ts"
import { Users } from "./Users.ts"

const idIn = accountIdOr(userNotFound)

export const userEndpoints = (
  access: Access
): Effect.Effect<ReadonlyArray<HostEndpoint>, never, Users | UserChanges | UserSessions | Mailer> =>
  Effect.gen(function* () {
    const users = yield* Users
    const changes = yield* UserChanges
    const sessions = yield* UserSessions
    const mailer = yield* Mailer

    const showing = Effect.fnUntraced(function* (organisation: OrganisationId, found: ReadonlyArray<User>) {
      const withFactor = yield* users.withFactor(organisation)
      const ids = found.map(({ id }) => id)
      const lastLogins = yield* users.lastLogins(organisation, ids)
      return ({ organisationId, ...user }: User) => {
        const lastLogin = lastLogins.get(user.id)
        const lastLoginAt = lastLogin === undefined ? null : instantText(lastLogin)
        return { ...user, secondFactor: withFactor.has(user.id), lastLoginAt }
      }
    })

    return hostGroup(UsersApi, withSession(access), {
      list: Effect.fnUntraced(function* () {
        const { organisation, user } = yield* CurrentSession
        const found = yield* users.list(organisation.id, user)
        return reply({ data: found.map(yield* showing(organisation.id, found)) })
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const { organisation, user } = yield* CurrentSession
        const updated = yield* changes.update(organisation.id, yield* idIn(params), payload, user)
        const show = yield* showing(organisation.id, [updated])
        return reply(show(updated))
      }),
      delete: Effect.fnUntraced(function* ({ params }) {
        const { organisation, user } = yield* CurrentSession
        yield* changes.delete(organisation.id, yield* idIn(params), user)
        return replyNothing
      }),
      resetSecondFactor: Effect.fnUntraced(function* ({ params }) {
        const { organisation, user } = yield* CurrentSession
        const id = yield* idIn(params)
        if (id === user.id) return yield* ownSecondFactor
        const { email, name } = yield* changes.resetSecondFactor(organisation.id, id, user)
        yield* mailer.send(Effect.succeed({ to: email, letter: Letters.secondFactorRemoved(name) }))
        return replyNothing
      }),
      endSessions: Effect.fnUntraced(function* ({ params }) {
        const { organisation, user } = yield* CurrentSession
        yield* sessions.endManaged(organisation.id, yield* idIn(params), user)
        return replyNothing
      })
    })
  })
