/**
 * Users and their names at OpenID providers, in the table `console_identity`. An identity stays
 * when its user is deleted.
 */
import { mainQuery, PgClient, PgEventLog, sql, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, OrganisationStatus, RepositoryError, UserId } from "@solar-sites/core"
import { Context, Effect, Layer } from "effect"
import type { Role } from "../people/Role.ts"
import { loginOf, type User } from "../people/User.ts"
import { about, changed } from "../people/UserRow.ts"
import { instant, statement } from "../Statement.ts"

/** The provider's name of a user. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** A user that may be authenticated by an identity. */
export interface KnownUser {
  readonly user: {
    readonly id: UserId
    readonly organisationId: OrganisationId
    readonly email: string
    readonly role: Role
  }
  readonly passwordVersion: number
  readonly organisationStatus: OrganisationStatus
}

/** Stored facts about an identity and an e-mail address. */
export interface Acquaintance {
  readonly identity: { readonly known: KnownUser | null } | null
  /** `isLinked`: the user has another identity of this issuer. `isAllowed`: the domain is one of the organisation. */
  readonly sameEmail: (KnownUser & { readonly isAllowed: boolean; readonly isLinked: boolean }) | null
  /** The active organisation that has the domain. */
  readonly organisationOfDomain: OrganisationId | null
}

export interface Address {
  readonly email: string
  readonly domain: string
}

const statements = (client: PgClient["Service"]) => {
  const known = `'user', json_build_object('id', u.id, 'organisationId', u.organisation_id, 'email', u.email, 'role', u.role),
    'passwordVersion', u.password_version, 'organisationStatus', o.status`
  const hasDomain = (organisation: string, domain: string) => sql`exists (
    select from ${table("console_login_domain")} d where d.organisation_id = ${organisation} and d.domain = ${domain}
  )`
  const identityChanged = (...more: ReadonlyArray<string>) =>
    about(changed("identity", "null", "$3::text"), ...more).changes
  const identity = sql`select from ${table("console_identity")} i where i.issuer = $3::text and i.subject = $4::text`
  return {
    find: statement<Acquaintance>(
      client,
      "IdentityStore.find",
      sql`select json_build_object(
         'identity', (
           select json_build_object('known', (
             select json_build_object(${known})
             from ${table("console_user")} u join ${table("organisation")} o on o.id = u.organisation_id
             where u.organisation_id = i.organisation_id and u.id = i.user_id
           ))
           from ${table("console_identity")} i where i.issuer = $1::text and i.subject = $2::text
         ),
         'sameEmail', (
           select json_build_object(${known},
             'isAllowed', ${hasDomain("u.organisation_id", "$4::text")},
             'isLinked', exists (
               select from ${table("console_identity")} i
               where i.organisation_id = u.organisation_id and i.user_id = u.id and i.issuer = $1::text
             )
           )
           from ${table("console_user")} u join ${table("organisation")} o on o.id = u.organisation_id
           where u.login = $3::text
         ),
         'organisationOfDomain', (
           select o.id from ${table("console_login_domain")} d
           join ${table("organisation")} o on o.id = d.organisation_id and o.status = 'active'
           where d.domain = $4::text
         )
       )::text`,
      { repeatable: true }
    ),

    link: statement<boolean>(
      client,
      "IdentityStore.link",
      sql`with r as materialized (
         select r.id from ${table("organisation")} r
         where r.id = $1::uuid and r.status = 'active' and ${hasDomain("r.id", "$5::text")}
         for key share
       ), u as materialized (
         select u.organisation_id, u.id, u.name from ${table("console_user")} u join r on r.id = u.organisation_id
         where u.id = $2::uuid
         for no key update of u
       ), moved as (
         update ${table("console_identity")} i
         set organisation_id = u.organisation_id, user_id = u.id, created_at = ${instant("$6")} from u
         where i.issuer = $3::text and i.subject = $4::text and not exists (
           select from ${table("console_user")} x where x.organisation_id = i.organisation_id and x.id = i.user_id
         )
         returning i.user_id
       ), added as (
         insert into ${table("console_identity")} (organisation_id, user_id, issuer, subject, created_at)
         select u.organisation_id, u.id, $3::text, $4::text, ${instant("$6")} from u
         where not exists (${identity})
         on conflict do nothing
         returning user_id
       ), linked as (
         select user_id from moved union all select user_id from added
       ), without_password as (
         update ${table("console_user")} x set password_hash = null, password_version = x.password_version + 1
         from linked l
         where x.organisation_id = $1::uuid and x.id = l.user_id and x.password_hash is not null
         returning x.id
       ), ended as (
         delete from ${table("console_session")} s using without_password w
         where s.organisation_id = $1::uuid and s.user_id = w.id
         returning s.digest
       ), ${PgEventLog.writeEvents({
         type: "user.updated",
         from: `linked l join u on u.id = l.user_id left join without_password w on w.id = u.id
           cross join (select count(*) from ended) e cross join ${PgEventLog.originFrom("$7", "o")}`,
         ...about(),
         changes: `case when w.id is null then ${identityChanged()} else ${identityChanged(changed("password", "null", "null"))} end`
       })}
       ${mainQuery} select to_json(exists (select from linked))::text, ${PgEventLog.writtenTypes}`,
      { owned: true }
    ),

    // The second insert fails the statement if a concurrent login with another address has stored the
    // identity.
    create: statement<boolean>(
      client,
      "IdentityStore.create",
      sql`with r as (
         select r.id from ${table("organisation")} r
         where r.id = $1::uuid and r.status = 'active' and ${hasDomain("r.id", "$9::text")} and not exists (${identity})
           and ($6::text = 'owner' or exists (
             select from ${table("console_user")} u where u.organisation_id = $1::uuid and u.role = 'owner'
           ))
         for key share
       ), u as (
         insert into ${table("console_user")}
           (organisation_id, id, login, email, name, role, password_hash, password_version, created_at)
         select r.id, $2::uuid, $5::text, $7::text, $8::text, $6::text, null, 1, ${instant("$10")} from r
         on conflict (login) do nothing
         returning *
       ), linked as (
         insert into ${table("console_identity")} (organisation_id, user_id, issuer, subject, created_at)
         select u.organisation_id, u.id, $3::text, $4::text, u.created_at from u
         returning user_id
       ), ${PgEventLog.writeEvents({
         type: "user.created",
         from: `u join linked l on l.user_id = u.id cross join ${PgEventLog.originFrom("$11", "o")}`,
         ...about(
           changed("email", "null", "u.email"),
           changed("name", "null", "u.name"),
           changed("role", "null", "u.role"),
           changed("identity", "null", "$3::text")
         )
       })}
       ${mainQuery} select to_json(exists (select from linked))::text, ${PgEventLog.writtenTypes}`,
      { owned: true }
    )
  }
}

/** A concurrent login has stored the identity, or another one of the user. */
const isStored = ({ cause }: RepositoryError): boolean =>
  cause instanceof Error && String(Reflect.get(cause, "constraint")).startsWith("console_identity_")

const unlessStored = (change: Effect.Effect<boolean | null, RepositoryError>) =>
  Effect.catchIf(change, isStored, () => Effect.succeed(false))

export class IdentityStore extends Context.Service<
  IdentityStore,
  {
    /** Without a verified address, only the identity is looked up. */
    readonly find: (identity: Identity, address: Address | undefined) => Effect.Effect<Acquaintance, RepositoryError>

    /**
     * Links the identity to a user of an organisation that has the domain. False if this does not
     * hold any more, or if identity or user are linked already. Takes the identity of a deleted
     * user over. Removes the password of the user and ends its sessions: another person may have
     * created the account.
     */
    readonly link: (
      user: KnownUser["user"],
      identity: Identity,
      domain: string,
      now: number
    ) => Effect.Effect<boolean, RepositoryError>

    /**
     * Inserts a user without password and its identity. False if the organisation is inactive, does
     * not have the domain any more or has no owner, or if address or identity exist.
     */
    readonly create: (user: User, identity: Identity, domain: string) => Effect.Effect<boolean, RepositoryError>
  }
>()("@solar-sites/reference-server/IdentityStore") {
  static readonly layer: Layer.Layer<IdentityStore, never, PgClient> = Layer.effect(
    IdentityStore,
    Effect.gen(function* () {
      const sql = statements(yield* PgClient)
      const originOf = yield* PgEventLog.originParameters
      return IdentityStore.of({
        find: ({ issuer, subject }, address) =>
          Effect.map(
            sql.find(issuer, subject, address === undefined ? "" : loginOf(address.email), address?.domain ?? ""),
            (found) => found ?? { identity: null, sameEmail: null, organisationOfDomain: null }
          ),
        link: Effect.fnUntraced(function* ({ id, organisationId }, { issuer, subject }, domain, now) {
          const origin = yield* originOf(organisationId)
          return (yield* unlessStored(sql.link(organisationId, id, issuer, subject, domain, now, origin))) === true
        }),
        create: Effect.fnUntraced(function* (user, { issuer, subject }, domain) {
          const { createdAt, email, id, name, organisationId, role } = user
          const names = [organisationId, id, issuer, subject, loginOf(email), role, email, name, domain]
          const origin = yield* originOf(organisationId)
          return (yield* unlessStored(sql.create(...names, createdAt.epochMilliseconds, origin))) === true
        })
      })
    })
  )
}
