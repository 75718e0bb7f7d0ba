/** Look-ups of users by login and id in all organisations, and of their last logins. */
import { PgClient, sql, statement, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, OrganisationStatus, RepositoryError, UserId } from "@solar-sites/core"
import { Effect } from "effect"
import { milliseconds } from "../SqlValues.ts"
import { loginOf, type User, type UserIds } from "./User.ts"

/** An authenticated user. `passwordVersion` counts changes of the password. */
export interface Authenticated {
  readonly user: UserIds
  readonly passwordVersion: number
}

/** A user with its password; null if it logs in at an OpenID provider only. */
export interface Credentials extends Authenticated {
  readonly user: Pick<User, "id" | "organisationId" | "email" | "name">
  readonly organisationStatus: OrganisationStatus
  readonly passwordHash: string | null
}

export const userLookUps = Effect.map(PgClient, (client) => {
  const findOwner = statement<OrganisationId, { userId: UserId }>(
    client,
    "Users.findOwner",
    ({ userId }) => sql`select to_json(u.organisation_id)::text from ${table("console_user")} u
     where u.id = ${userId}::uuid`,
    { across: true }
  )

  const findByLogin = statement<Credentials, { login: string }>(
    client,
    "Users.findByLogin",
    ({ login }) => sql`select json_build_object(
       'user', json_build_object('id', u.id, 'organisationId', u.organisation_id, 'email', u.email, 'name', u.name),
       'organisationStatus', o.status,
       'passwordHash', u.password_hash,
       'passwordVersion', u.password_version
     )::text
     from ${table("console_user")} u join ${table("organisation")} o on o.id = u.organisation_id
     where u.login = ${login}::text`,
    { across: true }
  )

  const lastLogins = statement<Readonly<Record<string, number>>, { organisationId: OrganisationId; userIds: string }>(
    client,
    "Users.lastLogins",
    ({ organisationId, userIds }) => sql`select coalesce(json_object_agg(x.id, x.at), '{}')::text from (
       select u.id, (
         select ${milliseconds("e.occurred_at")} from ${table("event")} e
         where e.organisation_id = ${organisationId}::uuid and e.subject_id = u.id and e.type = 'user.logged_in'
         order by e.sequence desc limit 1
       ) as at from unnest(${userIds}::text::uuid[]) as u (id)
     ) x where x.at is not null`,
    { repeatable: true }
  )

  return {
    findByLogin: (email: string): Effect.Effect<Credentials | null, RepositoryError> =>
      findByLogin({ login: loginOf(email) }),

    /** The organisation of a user. For operators only, who know just the id of the user. */
    findOwner,

    /** Last logins in milliseconds. A user without a login among the kept events is absent. */
    lastLogins: (organisationId: OrganisationId, userIds: ReadonlyArray<UserId>) =>
      Effect.map(
        lastLogins({ organisationId, userIds: `{${userIds.join()}}` }),
        (at) => new Map(Object.entries(at ?? {}))
      )
  }
})
