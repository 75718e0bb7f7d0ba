/** Serves the users of the organisation. */
import { instantText, type OrganisationId } from "@solar-sites/core"
import { hostGroup, reply, replyNothing } from "@solar-sites/http-node"
import { Effect } from "effect"
import type { Access } from "../../console/Access.ts"
import { problems } from "../../console/ConsoleProblems.ts"
import { UsersApi } from "../../console/contract/UsersApi.ts"
import { accountIdOr, currentUser, withSession } from "../../console/WithSession.ts"
import * as Letters from "../../mail/Letters.ts"
import { Mailer } from "../../mail/Mailer.ts"
import { find, makeCommands } from "../Commands.ts"
import { factorKind } from "../second-factor/FactorKind.ts"
import { resetFactor } from "../second-factor/FactorRules.ts"
import { endManagedSessions } from "../sessions/SessionRules.ts"
import type { User } from "./User.ts"
import { userLookUps } from "./UserLookUps.ts"
import { listUsers, userChanges } from "./Users.ts"

const idIn = accountIdOr(problems.user_not_found)

export const userEndpoints = (access: Access) =>
  Effect.gen(function* () {
    const { decide, load } = yield* makeCommands
    const { lastLogins } = yield* userLookUps
    const list = yield* listUsers
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
        const user = yield* currentUser
        const found = yield* list(user)
        return reply({ data: found.map(yield* showing(user.organisationId, found)) })
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const user = yield* currentUser
        const updated = yield* changes.update(yield* idIn(params), payload, user)
        const show = yield* showing(user.organisationId, [updated])
        return reply(show(updated))
      }),
      delete: Effect.fnUntraced(function* ({ params }) {
        const user = yield* currentUser
        yield* changes.delete(yield* idIn(params), user)
        return replyNothing
      }),
      resetSecondFactor: Effect.fnUntraced(function* ({ params }) {
        const user = yield* currentUser
        const id = yield* idIn(params)
        if (id === user.id) return yield* problems.own_second_factor
        const { email, name } = yield* decide(resetFactor(id, user))
        yield* mailer.send(Effect.succeed({ to: email, letter: Letters.secondFactorRemoved(name) }))
        return replyNothing
      }),
      endSessions: Effect.fnUntraced(function* ({ params }) {
        const user = yield* currentUser
        yield* decide(endManagedSessions(yield* idIn(params), user))
        return replyNothing
      })
    })
  })
