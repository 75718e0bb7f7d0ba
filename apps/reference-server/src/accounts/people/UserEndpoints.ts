/** The users of the organisation: read by every user, changed by owners and admins. */
import { Name, type OrganisationId, type UserId } from "@solar-sites/core"
import type { HostEndpoint, HostEndpointRequest } from "@solar-sites/http-node"
import { DateTime, Effect, Option, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Access } from "../../console/Access.ts"
import { asUser } from "../../console/AsUser.ts"
import { body } from "../../console/Body.ts"
import { lastOwner, roleInsufficient, userNotFound } from "../../console/ConsoleProblems.ts"
import * as Letters from "../../mail/Letters.ts"
import { Mailer } from "../../mail/Mailer.ts"
import { accountRefusals, ownSecondFactor } from "../login/LoginProblems.ts"
import type { Session } from "../sessions/Sessions.ts"
import { mayManage, Role } from "./Role.ts"
import { parseAccountId, type User } from "./User.ts"
import { UserChanges } from "./UserChanges.ts"
import { Users } from "./Users.ts"

const path = "/console/users"

const readChange = body(Schema.Struct({ role: Schema.optionalKey(Role), name: Schema.optionalKey(Name) }))

/** Facts about users that are not in their rows. */
interface Known {
  readonly withFactor: ReadonlySet<UserId>
  /** In milliseconds. */
  readonly lastLogins: ReadonlyMap<string, number>
}

const instantOf = (milliseconds: number | undefined): string | null =>
  milliseconds === undefined ? null : DateTime.formatIso(DateTime.makeUnsafe(milliseconds))

const document = ({ createdAt, email, id, name, role }: User, { lastLogins, withFactor }: Known) => ({
  id,
  email,
  name,
  role,
  createdAt: DateTime.formatIso(createdAt),
  secondFactor: withFactor.has(id),
  lastLoginAt: instantOf(lastLogins.get(id))
})

const idIn = ({ params }: HostEndpointRequest) =>
  Option.match(parseAccountId(params["id"]), { onNone: () => Effect.fail(userNotFound), onSome: Effect.succeed })

const refusals = {
  LastOwner: () => Effect.fail(lastOwner),
  RoleInsufficient: ({ needed }: { readonly needed: Role }) => Effect.fail(roleInsufficient(needed)),
  UserNotFound: () => Effect.fail(userNotFound)
}

export const userEndpoints = (
  access: Access
): Effect.Effect<ReadonlyArray<HostEndpoint>, never, Users | UserChanges | Mailer> =>
  Effect.gen(function* () {
    const users = yield* Users
    const changes = yield* UserChanges
    const mailer = yield* Mailer

    const forUser = asUser(access)

    /** Refuses before the body is read. */
    const requireManager = ({ user }: Session) =>
      mayManage(user.role, "viewer") ? Effect.void : Effect.fail(roleInsufficient("admin"))

    const documentsOf = Effect.fnUntraced(function* (organisationId: OrganisationId, found: ReadonlyArray<User>) {
      const withFactor = yield* users.withFactor(organisationId)
      const lastLogins = yield* users.lastLogins(
        organisationId,
        found.map(({ id }) => id)
      )
      return found.map((user) => document(user, { withFactor, lastLogins }))
    })

    const list = Effect.fnUntraced(function* (_: HostEndpointRequest, { organisation }: Session) {
      const found = yield* users.list(organisation.id)
      return HttpServerResponse.jsonUnsafe({ data: yield* documentsOf(organisation.id, found) })
    })

    const update = Effect.fnUntraced(function* (incoming: HostEndpointRequest, session: Session) {
      const id = yield* idIn(incoming)
      if (id !== session.user.id) yield* requireManager(session)
      const change = yield* readChange(incoming)
      const updating = changes.update(session.organisation.id, id, change, session.user)
      const user = yield* Effect.catchTags(updating, refusals)
      const [answer] = yield* documentsOf(session.organisation.id, [user])
      return HttpServerResponse.jsonUnsafe(answer)
    })

    const remove = Effect.fnUntraced(function* (incoming: HostEndpointRequest, session: Session) {
      yield* requireManager(session)
      const id = yield* idIn(incoming)
      yield* Effect.catchTags(changes.delete(session.organisation.id, id, session.user), refusals)
      return HttpServerResponse.empty({ status: 204 })
    })

    const resetSecondFactor = Effect.fnUntraced(function* (incoming: HostEndpointRequest, session: Session) {
      yield* requireManager(session)
      const id = yield* idIn(incoming)
      if (id === session.user.id) return yield* ownSecondFactor
      const { email, name } = yield* changes.resetSecondFactor(session.organisation.id, id, session.user).pipe(
        Effect.catchTags({
          RoleInsufficient: refusals.RoleInsufficient,
          UserNotFound: refusals.UserNotFound,
          SecondFactorState: accountRefusals.SecondFactorState
        })
      )
      yield* mailer.send(Effect.succeed({ to: email, letter: Letters.secondFactorRemoved(name) }))
      return HttpServerResponse.empty({ status: 204 })
    })

    return [
      { method: "GET", path, serve: forUser(list) },
      { method: "PUT", path: `${path}/:id`, serve: forUser(update) },
      { method: "DELETE", path: `${path}/:id`, serve: forUser(remove) },
      { method: "DELETE", path: `${path}/:id/second-factor`, serve: forUser(resetSecondFactor) }
    ]
  })
