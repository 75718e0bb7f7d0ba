/** Serves the users of the organisation. */
import { instantText, type OrganisationId } from "@solar-sites/core"
import { hostGroup, reply, replyNothing } from "@solar-sites/http-node"
import { Effect } from "effect"
import type { Access } from "../../console/Access.ts"
import { userNotFound } from "../../console/ConsoleProblems.ts"
import { UsersApi } from "../../console/contract/UsersApi.ts"
import { accountIdOr } from "../../console/PathIds.ts"
import { CurrentSession, withSession } from "../../console/WithSession.ts"
import * as Letters from "../../mail/Letters.ts"
import { Mailer } from "../../mail/Mailer.ts"
import { ownSecondFactor } from "../AccountProblems.ts"
import { find, makeCommands } from "../Commands.ts"
import { factorKind } from "../second-factor/FactorKind.ts"
import { resetFactor } from "../second-factor/FactorRules.ts"
import { endManagedSessions } from "../sessions/SessionRules.ts"
import type { User } from "./User.ts"
import { userLookUps } from "./UserLookUps.ts"
import { Users, userChanges } from "./Users.ts"

const idIn = accountIdOr(userNotFound)

export const userEndpoints = (access: Access) =>
  Effect.gen(function* () {
    const { decide, load } = yield* makeCommands
    const { lastLogins } = yield* userLookUps
    const users = yield* Users
    const changes = yield* userChanges
    const mailer = yield* Mailer

    /** Shows users with their last logins, and with whether they have an active second factor. */
    const showing = Effect.fnUntraced(function* (organisation: OrganisationId, found: ReadonlyArray<User>) {
      const ids = found.map(({ id }) => id)
      const factors = yield* load("Users.withFactor", organisation, [find(factorKind, "id", ...ids)])
      const logins = yield* lastLogins(organisation, ids)
      return ({ organisationId, ...user }: User) => {
        const lastLogin = logins.get(user.id)
        const enabledAt = factors.byId(factorKind, user.id)?.record.enabledAt ?? null
        const lastLoginAt = lastLogin === undefined ? null : instantText(lastLogin)
        return { ...user, secondFactor: enabledAt !== null, lastLoginAt }
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
        const { email, name } = yield* decide(resetFactor(organisation.id, id, user))
        yield* mailer.send(Effect.succeed({ to: email, letter: Letters.secondFactorRemoved(name) }))
        return replyNothing
      }),
      endSessions: Effect.fnUntraced(function* ({ params }) {
        const { organisation, user } = yield* CurrentSession
        yield* decide(endManagedSessions(organisation.id, yield* idIn(params), user))
        return replyNothing
      })
    })
  })
