/**
 * Changes and deletions of users by other users and by the operator. An organisation with users
 * keeps an owner, also under concurrent changes: each statement locks all owners in the order of
 * their ids and counts the locked ones. The row of the organisation is locked before, since a
 * foreign key locks it at the end of a deletion. Invitations that the user makes while a statement
 * waits are not seen by it: it then changes nothing, and is repeated.
 */
import { mainQuery, PgApiKeyRemoval, PgClient, PgEventLog, sql, table } from "@solar-sites/adapter-postgres"
import { AccessChanges, type OrganisationId, RepositoryError, type UserId } from "@solar-sites/core"
import { Clock, Context, Effect, Layer } from "effect"
import type { DigestChoice } from "../../digest/DigestChoice.ts"
import { endInvitations, invitationsEnded } from "../invitations/InvitationStatements.ts"
import { instant, organisationRow, statement } from "../Statement.ts"
import { insufficientFor, isAtMost, managedBy, mayManage, Role, RoleInsufficient } from "./Role.ts"
import { LastOwner, type User, UserNotFound } from "./User.ts"
import { about, changed, columns, toUser, type UserRow } from "./UserRow.ts"

/** Repetitions of a stale statement. Each time another change of the user has succeeded. */
const attempts = 20

/** The acting user with the role that its session had. */
export type Manager = { readonly id: UserId; readonly role: Role } | "operator"

export interface UserChange {
  readonly role?: Role
  readonly name?: string
  readonly digest?: DigestChoice
}

/** `user` is null when the user is the last owner. `isStale`: the user has changed since the statement began. */
interface Outcome {
  readonly isStale: boolean
  readonly isAllowed: boolean
  readonly roleBefore: Role
  readonly user: UserRow | null
}

// Parameters: organisation, user, id and role of the manager, roles that may be changed. A manager
// who has lost the role since is not allowed.
const locked = () => sql`
  ${organisationRow}, locked_user as materialized (
    select u.*, u.xmin as row_version from ${table("console_user")} u join organisation_row r on r.id = u.organisation_id
    where u.role = 'owner' or u.id in ($2::uuid, $3::uuid)
    order by u.id
    for no key update of u
  ), target as materialized (
    select t.id, t.role, t.name, t.digest,
      t.role = any ($5::text::text[]) and (
        $3::uuid is null or exists (select from locked_user m where m.id = $3::uuid and m.role = $4::text)
      ) as is_allowed,
      t.role <> 'owner' or exists (select from locked_user l where l.role = 'owner' and l.id <> t.id) as is_dispensable,
      not exists (
        select from ${table("console_user")} s
        where s.organisation_id = $1::uuid and s.id = t.id and s.xmin = t.row_version
      ) as is_stale
    from locked_user t where t.id = $2::uuid
  )`

const outcome = sql`${mainQuery} select json_build_object(
    'isStale', t.is_stale, 'isAllowed', t.is_allowed, 'roleBefore', t.role, 'user', (select to_json(x) from (select ${columns("u")} from u) x)
  )::text, ${PgEventLog.writtenTypes} from target t`

const statements = (client: PgClient["Service"]) => {
  return {
    update: statement<Outcome>(
      client,
      "UserChanges.update",
      sql`with ${locked()}, u as (
         update ${table("console_user")} c set role = coalesce($6::text, c.role), name = coalesce($7::text, c.name),
           digest = coalesce($10::text, c.digest),
           digest_since = case when $10::text <> c.digest then ${instant("$9")} else c.digest_since end
         from target t
         where c.organisation_id = $1::uuid and c.id = t.id and t.is_allowed and not t.is_stale
           and (t.is_dispensable or coalesce($6::text, 'owner') = 'owner')
         returning c.*
       ), ${endInvitations("u", "$9")}, ${PgEventLog.writeEvents(
         {
           type: "user.updated",
           from: `u join target t on (t.name, t.role, t.digest) is distinct from (u.name, u.role, u.digest)
           cross join ${PgEventLog.originFrom("$8", "o")}`,
           ...about(),
           changes: `select json_object_agg(m.name, json_build_object('from', m.before, 'to', m.after))
           from (
             values ('name', t.name, u.name), ('role', t.role, u.role), ('digest', t.digest, u.digest)
           ) as m (name, before, after)
           where m.before <> m.after`
         },
         invitationsEnded("$8", "1")
       )}
       ${outcome}`,
      { owned: true }
    ),

    delete: statement<Outcome>(
      client,
      "UserChanges.delete",
      sql`with ${locked()}, u as (
         delete from ${table("console_user")} c using target t
         where c.organisation_id = $1::uuid and c.id = t.id and t.is_allowed and not t.is_stale and (t.is_dispensable or (
           $3::uuid is null
           and not exists (select from ${table("console_user")} x where x.organisation_id = $1::uuid and x.id <> t.id)
         ))
         returning c.*
       ), tombstone as (
         insert into ${table("console_deleted_user")} (organisation_id, id, deleted_at)
         select u.organisation_id, u.id, ${instant("$6")} from u
       ), ${PgApiKeyRemoval.removeKeysOf("u")}, inviter as (
         select u.id, null::text as role from u
       ), ${endInvitations("inviter", "$6")}, ${PgEventLog.writeEvents(
         {
           type: "user.deleted",
           from: `u cross join ${PgEventLog.originFrom("$7", "o")}`,
           ...about(
             changed("email", "u.email", "null"),
             changed("name", "u.name", "null"),
             changed("role", "u.role", "null")
           )
         },
         PgApiKeyRemoval.removedKeys("$7", 1),
         invitationsEnded("$7", "1 + (select count(*) from removed_key)")
       )}
       ${outcome}`,
      { owned: true }
    )
  }
}

/** The roles of other users that the manager may change; of itself only its own. */
const changeableBy = (by: Manager, userId: UserId, canChangeItself: boolean): ReadonlyArray<Role> => {
  if (by === "operator") return Role.literals
  if (by.id === userId && canChangeItself) return [by.role]
  return managedBy(by.role)
}

const mayGive = (by: Manager, userId: UserId, role: Role): boolean =>
  by === "operator" || (by.id === userId ? isAtMost(role, by.role) : mayManage(by.role, role))

const insufficient = (by: Manager, role?: Role) =>
  by === "operator" || role === "owner" ? new RoleInsufficient({ needed: "owner" }) : insufficientFor(by.role)

export type UserRefusal = UserNotFound | LastOwner | RoleInsufficient | RepositoryError

/**
 * Sessions of the user have the new role from the next request on. Its API keys have it at once on
 * this instance, within a second on others while the message bus is up.
 */
export class UserChanges extends Context.Service<
  UserChanges,
  {
    /**
     * Users may lower their own role, and change their own name and digest. All else needs a manager: an owner,
     * or an admin if neither the old nor the new role is owner. Invitations of the user end if it may
     * no longer give their role.
     */
    readonly update: (
      organisationId: OrganisationId,
      userId: UserId,
      change: UserChange,
      by: Manager
    ) => Effect.Effect<User, UserRefusal>

    /**
     * Deletes the user's sessions, API keys and open invitations too. Keys that are created meanwhile are invalid.
     * The operator may delete the only user of an organisation.
     */
    readonly delete: (organisationId: OrganisationId, userId: UserId, by: Manager) => Effect.Effect<User, UserRefusal>
  }
>()("@solar-sites/reference-server/UserChanges") {
  static readonly layer: Layer.Layer<UserChanges, never, PgClient | AccessChanges> = Layer.effect(
    UserChanges,
    Effect.gen(function* () {
      const sql = statements(yield* PgClient)
      const originOf = yield* PgEventLog.originParameters
      const accessChanges = yield* AccessChanges

      const repeatStale = (change: Effect.Effect<Outcome | null, RepositoryError>) =>
        Effect.repeat(change, { while: (outcome) => outcome?.isStale === true, times: attempts })

      const parametersOf = (
        organisationId: OrganisationId,
        userId: UserId,
        by: Manager,
        managed: ReadonlyArray<Role>
      ) => {
        const manager = by === "operator" ? [null, null] : [by.id, by.role]
        return [organisationId, userId, ...manager, `{${managed.join()}}`]
      }

      const decided = (operation: string, outcome: Outcome | null, userId: UserId, by: Manager) => {
        if (outcome === null) return Effect.fail(new UserNotFound({ userId }))
        if (outcome.isStale) return Effect.fail(new RepositoryError({ operation, retryable: true, cause: "stale" }))
        if (!outcome.isAllowed) return Effect.fail(insufficient(by))
        if (outcome.user === null) return Effect.fail(new LastOwner())
        return Effect.succeed(toUser(outcome.user))
      }

      const update = Effect.fn("UserChanges.update")(function* (
        organisationId: OrganisationId,
        userId: UserId,
        { digest, name, role }: UserChange,
        by: Manager
      ) {
        if (role !== undefined && !mayGive(by, userId, role)) return yield* insufficient(by, role)
        const parameters = parametersOf(organisationId, userId, by, changeableBy(by, userId, true))
        const now = yield* Clock.currentTimeMillis
        const origin = yield* originOf(organisationId)
        const outcome = yield* repeatStale(
          sql.update(...parameters, role ?? null, name ?? null, origin, now, digest ?? null)
        )
        const user = yield* decided("UserChanges.update", outcome, userId, by)
        if (outcome?.roleBefore !== user.role) yield* accessChanges.publish({ organisationId })
        return user
      }, Effect.uninterruptible)

      const remove = Effect.fn("UserChanges.delete")(function* (
        organisationId: OrganisationId,
        userId: UserId,
        by: Manager
      ) {
        const parameters = parametersOf(organisationId, userId, by, changeableBy(by, userId, false))
        const now = yield* Clock.currentTimeMillis
        const outcome = yield* repeatStale(sql.delete(...parameters, now, yield* originOf(organisationId)))
        const user = yield* decided("UserChanges.delete", outcome, userId, by)
        yield* accessChanges.publish({ organisationId })
        return user
      }, Effect.uninterruptible)

      return UserChanges.of({ update, delete: remove })
    })
  )
}
