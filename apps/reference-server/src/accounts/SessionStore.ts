/**
 * Sessions in the table `console_session`, keyed by the digest of their token.
 * Every method is one statement; instants come from the server's clock.
 */
import { PgClient } from "@solar-sites/adapter-postgres"
import type { OrganisationId, OrganisationStatus, RepositoryError, UserId } from "@solar-sites/core"
import { Context, Effect, Layer, Option } from "effect"
import type { Role } from "./Role.ts"
import { instant, milliseconds, statement } from "./Statement.ts"
import type { Authenticated } from "./UserStore.ts"

/** How the user was authenticated. */
export type LoginMethod = "password" | "oidc" | "link"

/**
 * A live session. The role is the current one. `expiresAt` (milliseconds) is the end that no use
 * extends.
 */
export interface StoredSession {
  readonly user: { readonly id: UserId; readonly email: string; readonly name: string; readonly role: Role }
  readonly organisation: { readonly id: OrganisationId; readonly name: string; readonly status: OrganisationStatus }
  readonly expiresAt: number
}

/** Instants in milliseconds. */
export interface NewSession {
  /** Shown in lists of sessions; the digest is not. */
  readonly id: string
  readonly digest: string
  /** Digest of the session that this one replaces, of any user. */
  readonly replaces: string | null
  readonly method: LoginMethod
  readonly userAgent: string | null
  readonly now: number
  readonly expiresAt: number
  readonly endsAt: number
}

const session = `json_build_object(
  'user', json_build_object('id', u.id, 'email', u.email, 'name', u.name, 'role', u.role),
  'organisation', json_build_object('id', o.id, 'name', o.name, 'status', o.status),
  'expiresAt', ${milliseconds("s.expires_at")}
)::text`

const digestOf = (parameter: string) => `decode(${parameter}::text, 'hex')`

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  const activeOwner = `join ${schema}.console_user u
      on u.organisation_id = s.organisation_id and u.id = s.user_id and u.password_version = s.password_version
    join ${schema}.organisation o on o.id = s.organisation_id and o.status = 'active'`
  return {
    // `for share`: a concurrent deactivation waits for this session and then deletes it.
    insert: statement<StoredSession>(
      client,
      "SessionStore.insert",
      `with replaced as (
         delete from ${schema}.console_session where digest = ${digestOf("$5")}
       ), o as (
         select id, name, status from ${schema}.organisation where id = $1::uuid and status = 'active' for share
       ), s as (
         insert into ${schema}.console_session
           (organisation_id, user_id, digest, password_version, created_at, expires_at, ends_at, id, method, user_agent)
         select u.organisation_id, u.id, ${digestOf("$4")}, u.password_version,
           ${instant("$6")}, ${instant("$7")}, ${instant("$8")}, $9::uuid, $10::text, $11::text
         from o join ${schema}.console_user u
           on u.organisation_id = o.id and u.id = $2::uuid and u.password_version = $3::int
         returning *
       )
       select ${session} from s join o on o.id = s.organisation_id
         join ${schema}.console_user u on u.organisation_id = s.organisation_id and u.id = s.user_id`
    ),

    find: statement<StoredSession>(
      client,
      "SessionStore.find",
      `with s as materialized (
         select s.*, least(s.expires_at, ${instant("$3")}) as next_end from ${schema}.console_session s
         where s.digest = ${digestOf("$1")} and s.ends_at > ${instant("$2")}
       ), live as materialized (
         select s.*, ${session} as answer from s ${activeOwner}
       ), slid as (
         update ${schema}.console_session t set ends_at = live.next_end, used_at = ${instant("$2")} from live
         where t.organisation_id = live.organisation_id and t.user_id = live.user_id and t.digest = live.digest
           and live.next_end >= live.ends_at + interval '1 minute'
       )
       select answer from live`,
      { repeatable: true }
    ),

    delete: statement<boolean>(
      client,
      "SessionStore.delete",
      `with s as (delete from ${schema}.console_session where digest = ${digestOf("$1")} returning digest)
       select to_json(exists (select from s))::text`,
      { repeatable: true }
    ),

    deleteEnded: statement(
      client,
      "SessionStore.deleteEnded",
      `delete from ${schema}.console_session where ends_at <= ${instant("$1")}`,
      { repeatable: true }
    )
  }
}

/** Has no cache: a session that has ended is invalid on every server from the next request on. */
export class SessionStore extends Context.Service<
  SessionStore,
  {
    /**
     * None when the password or the organisation's status has changed since the credentials were
     * read.
     */
    readonly insert: (
      authenticated: Authenticated,
      session: NewSession
    ) => Effect.Effect<Option.Option<StoredSession>, RepositoryError>

    /** Moves the end to `endsAt`, at most to `expiresAt` and at most once a minute. */
    readonly find: (
      digest: string,
      at: { readonly now: number; readonly endsAt: number }
    ) => Effect.Effect<Option.Option<StoredSession>, RepositoryError>

    /** False if there is none. */
    readonly delete: (digest: string) => Effect.Effect<boolean, RepositoryError>

    readonly deleteEnded: (now: number) => Effect.Effect<void, RepositoryError>
  }
>()("@solar-sites/reference-server/SessionStore") {
  static readonly layer: Layer.Layer<SessionStore, never, PgClient> = Layer.effect(
    SessionStore,
    Effect.map(PgClient, (client) => {
      const sql = statements(client)
      return SessionStore.of({
        insert: ({ passwordVersion, user }, { digest, endsAt, expiresAt, id, method, now, replaces, userAgent }) => {
          const owner = [user.organisationId, user.id, passwordVersion]
          const instants = [now, expiresAt, endsAt]
          return Effect.map(
            sql.insert(...owner, digest, replaces, ...instants, id, method, userAgent),
            Option.fromNullOr
          )
        },
        find: (digest, { endsAt, now }) => Effect.map(sql.find(digest, now, endsAt), Option.fromNullOr),
        delete: (digest) => Effect.map(sql.delete(digest), (deleted) => deleted === true),
        deleteEnded: (now) => Effect.asVoid(sql.deleteEnded(now))
      })
    })
  )
}
