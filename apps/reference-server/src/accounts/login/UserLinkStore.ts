/**
 * Links of users for a new password or e-mail address, in the table `console_link`. Every method is
 * one statement. A link is good for the version of the password that it was made with; this also
 * lets one of several uses win. Statements lock the organisation, then a user, then its links.
 */
import { mainChange, mainQuery, PgClient, PgEventLog, sql, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, RepositoryError, UserId } from "@solar-sites/core"
import { Context, Effect, Layer, Option } from "effect"
import { EmailTaken, loginOf, type User } from "../people/User.ts"
import { about, changed, columns, toUser, type UserRow } from "../people/UserRow.ts"
import { bytes, instant, organisationRow, statement } from "../Statement.ts"

export type LinkPurpose = "reset" | "email"

/** `passwordVersion` is a condition: the user has given the password of this version. */
export interface LinkOwner extends Pick<User, "id" | "organisationId"> {
  readonly passwordVersion?: number
}

/** Instants in milliseconds. `email` is the address that the link is sent to. */
export interface NewUserLink {
  readonly id: string
  readonly purpose: LinkPurpose
  readonly digest: string
  readonly email: string
  readonly now: number
  readonly expiresAt: number
}

/** `email` is that of the link. */
export interface FoundLink {
  readonly organisationId: OrganisationId
  readonly userId: UserId
  readonly email: string
}

export interface EmailChange {
  readonly user: User
  readonly emailBefore: string
}

const statements = (client: PgClient["Service"]) => {
  const found = (purpose: LinkPurpose, digest: string, now: string) => sql`${table("console_link")} l
    join ${table("organisation")} a on a.id = l.organisation_id and a.status = 'active'
      and l.digest = ${bytes(digest)} and l.purpose = '${purpose}' and l.expires_at > ${instant(now)}`
  const used = sql`used as (
    delete from ${table("console_link")} l using u where l.organisation_id = u.organisation_id and l.user_id = u.id
    returning l.id
  )`
  const find = (purpose: LinkPurpose) =>
    statement<FoundLink>(
      client,
      "UserLinkStore.find",
      sql`select json_build_object('organisationId', l.organisation_id, 'userId', l.user_id, 'email', l.email)::text
       from ${found(purpose, "$1", "$2")}
       join ${table("console_user")} u on u.organisation_id = l.organisation_id and u.id = l.user_id
         and u.password_version = l.password_version`,
      { repeatable: true }
    )
  return {
    insert: statement<boolean>(
      client,
      "UserLinkStore.insert",
      sql`with organisation_row as materialized (
         select id from ${table("organisation")} where id = $1::uuid and status = 'active' for key share
       ), u as materialized (
         select u.organisation_id, u.id, u.password_version from ${table("console_user")} u
         join organisation_row r on r.id = u.organisation_id
         where u.id = $2::uuid
           and u.password_version = coalesce($10::int, u.password_version)
         for key share of u
       ), inserted as (
         insert into ${table("console_link")} as l
           (organisation_id, id, purpose, digest, user_id, password_version, login, email, created_at, expires_at)
         select u.organisation_id, $3::uuid, $4::text, ${bytes("$5")}, u.id, u.password_version, $6::text, $7::text,
           ${instant("$8")}, ${instant("$9")}
         from u
         on conflict (organisation_id, user_id, purpose) where purpose <> 'invitation' do update
         set (id, digest, password_version, login, email, created_at, expires_at) = (excluded.id, excluded.digest,
           excluded.password_version, excluded.login, excluded.email, excluded.created_at, excluded.expires_at)
         returning l.id
       )
       ${mainQuery} select to_json(exists (select from inserted))::text`,
      { owned: true }
    ),

    find: { reset: find("reset"), email: find("email") },

    reset: statement<UserRow>(
      client,
      "UserLinkStore.reset",
      sql`with ${organisationRow}, u as (
         update ${table("console_user")} u
         set password_hash = $3::text, password_version = u.password_version + 1
         from ${found("reset", "$2", "$4")} join organisation_row r on r.id = l.organisation_id
         where u.organisation_id = l.organisation_id and u.id = l.user_id
           and u.password_version = l.password_version
         returning u.*
       ), ended as (
         delete from ${table("console_session")} s using u
         where s.organisation_id = u.organisation_id and s.user_id = u.id
         returning s.digest
       ), ${used}, ${PgEventLog.writeEvents({
         type: "user.updated",
         from: `u cross join (select count(*) from ended) e cross join (select count(*) from used) d
           cross join ${PgEventLog.originFrom("$5", "o")}`,
         ...about(changed("password", "null", "null"))
       })}
       ${mainQuery} select to_json(x)::text, ${PgEventLog.writtenTypes} from (select ${columns("u")} from u) x`,
      { owned: true }
    ),

    // A second use finds the address already changed, once the first has released the user.
    changeEmail: statement<{ readonly user: UserRow; readonly emailBefore: string }>(
      client,
      "UserLinkStore.changeEmail",
      sql`with before as materialized (
         select u.id, u.organisation_id, u.email, l.email as new_email, l.login as new_login
         from ${found("email", "$2", "$3")}
         join ${table("console_user")} u on u.organisation_id = l.organisation_id and u.id = l.user_id
           and u.password_version = l.password_version and u.email <> l.email
         where l.organisation_id = $1::uuid
         for update of u
       ), u as (
         update ${table("console_user")} u set login = b.new_login, email = b.new_email from before b
         where u.organisation_id = b.organisation_id and u.id = b.id
         returning u.*, b.email as email_before
       ), ${used}, ${PgEventLog.writeEvents({
         type: "user.updated",
         from: `u cross join (select count(*) from used) d cross join ${PgEventLog.originFrom("$4", "o")}`,
         ...about(changed("email", "u.email_before", "u.email"))
       })}
       ${mainQuery} select json_build_object('user', (select to_json(x) from (select ${columns("u")}) x),
         'emailBefore', u.email_before)::text, ${PgEventLog.writtenTypes} from u`,
      { owned: true }
    ),

    deleteEnded: statement(
      client,
      "UserLinkStore.deleteEnded",
      sql`${mainChange} delete from ${table("console_link")} where expires_at <= ${instant("$1")}`,
      { repeatable: true }
    )
  }
}

/** The error of a broken constraint has its name. */
const isTaken = ({ cause }: RepositoryError): boolean =>
  cause instanceof Error && Reflect.get(cause, "constraint") === "console_user_login"

export class UserLinkStore extends Context.Service<
  UserLinkStore,
  {
    /** Replaces the earlier link of the user for the purpose. False without such a user. */
    readonly insert: (user: LinkOwner, link: NewUserLink) => Effect.Effect<boolean, RepositoryError>

    /** By digest alone: a token names no organisation. */
    readonly find: (
      purpose: LinkPurpose,
      digest: string,
      now: number
    ) => Effect.Effect<Option.Option<FoundLink>, RepositoryError>

    /** Sets the password, ends all links and sessions of the user. None if the link is not valid. */
    readonly reset: (
      organisationId: OrganisationId,
      digest: string,
      passwordHash: string,
      now: number
    ) => Effect.Effect<Option.Option<User>, RepositoryError>

    /** Sets the address, ends all links of the user. None if the link is not valid. */
    readonly changeEmail: (
      link: FoundLink,
      digest: string,
      now: number
    ) => Effect.Effect<Option.Option<EmailChange>, EmailTaken | RepositoryError>

    /** Deletes expired links, invitations included. */
    readonly deleteEnded: (now: number) => Effect.Effect<void, RepositoryError>
  }
>()("@solar-sites/reference-server/UserLinkStore") {
  static readonly layer: Layer.Layer<UserLinkStore, never, PgClient> = Layer.effect(
    UserLinkStore,
    Effect.gen(function* () {
      const sql = statements(yield* PgClient)
      const originOf = yield* PgEventLog.originParameters
      return UserLinkStore.of({
        insert: (
          { id: userId, organisationId, passwordVersion = null },
          { digest, email, expiresAt, id, now, purpose }
        ) => {
          const link = [id, purpose, digest, loginOf(email), email, now, expiresAt]
          return Effect.map(sql.insert(organisationId, userId, ...link, passwordVersion), (done) => done === true)
        },
        find: (purpose, digest, now) => Effect.map(sql.find[purpose](digest, now), Option.fromNullOr),
        reset: Effect.fnUntraced(function* (organisationId, digest, passwordHash, now) {
          const user = yield* sql.reset(organisationId, digest, passwordHash, now, yield* originOf(organisationId))
          return Option.map(Option.fromNullOr(user), toUser)
        }),
        changeEmail: Effect.fnUntraced(function* ({ email, organisationId }, digest, now) {
          const changed = yield* Effect.catchIf(
            sql.changeEmail(organisationId, digest, now, yield* originOf(organisationId)),
            isTaken,
            () => Effect.fail(new EmailTaken({ email }))
          )
          return Option.map(Option.fromNullOr(changed), ({ emailBefore, user }) => ({
            emailBefore,
            user: toUser(user)
          }))
        }),
        deleteEnded: (now) => Effect.asVoid(sql.deleteEnded(now))
      })
    })
  )
}
