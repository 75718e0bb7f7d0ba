/** Statements on invitations in the table `console_link`, keyed by the digest of their token. */
import { mainChange, mainQuery, type PgClient, PgEventLog, sql, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId } from "@solar-sites/core"
import { mayManage, Role } from "../people/Role.ts"
import { about, changed, columns, type UserRow } from "../people/UserRow.ts"
import { bytes, instant, milliseconds, organisationRow, statement } from "../Statement.ts"

/** Instants in milliseconds. `mailedAt`: the mail server accepted the mail with the current token. */
export interface Invitation {
  readonly organisationId: OrganisationId
  /** Also the id of the user that it creates. */
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly createdAt: number
  readonly expiresAt: number
  readonly mailedAt: number | null
}

/** An invitation with what its mail and page show. */
export interface ShownInvitation extends Invitation {
  readonly organisation: string
  readonly inviter: string
}

/** Concurrent inserts can exceed it by their number. */
export const maximumInvitations = 100

const row = (alias: string) => `json_build_object(
  'organisationId', ${alias}.organisation_id, 'id', ${alias}.id, 'email', ${alias}.email, 'name', ${alias}.name,
  'role', ${alias}.role, 'createdAt', ${milliseconds(`${alias}.created_at`)},
  'expiresAt', ${milliseconds(`${alias}.expires_at`)}, 'mailedAt', ${milliseconds(`${alias}.mailed_at`)})`

const shown = (alias: string) =>
  `(${row(alias)}::jsonb || jsonb_build_object('organisation', o.name, 'inviter', i.name))::text`

/** Pairs of the role of an inviter and a role that it may give. */
const givable = Role.literals
  .flatMap((inviter) =>
    Role.literals.filter((role) => mayManage(inviter, role)).map((role) => `('${inviter}', '${role}')`)
  )
  .join()

/** SQL that is true when another organisation than `organisation` has claimed `domain`. */
const isForeign = (domain: string, organisation: string) => sql`exists (
    select from ${table("console_login_domain")} d where d.domain = ${domain} and d.organisation_id <> ${organisation}
  )`

/** SQL of the invitations `l` that stand, with inviter `i` and active organisation `o`. */
const standing = (now: string) => sql`${table("console_link")} l
  join ${table("organisation")} o on o.id = l.organisation_id and o.status = 'active'
  join ${table("console_user")} i on i.organisation_id = l.organisation_id and i.id = l.created_by
    and (i.role, l.role) in (${givable})
    and l.purpose = 'invitation' and l.expires_at > ${instant(now)}
    and not ${isForeign("l.domain", "l.organisation_id")}`

/** SQL of an event about the invitation `u`. */
const aboutInvitation = (from: (column: string) => string, to: (column: string) => string) => ({
  ...about(changed("email", from("u.email"), to("u.email")), changed("role", from("u.role"), to("u.role"))),
  subjectName: "coalesce(u.name, u.email)"
})
const none = () => "null"
const itself = (column: string) => column

export const invitationStatements = (client: PgClient["Service"]) => {
  const invited = (origin: string) => ({
    type: "user.invited" as const,
    from: `u cross join ${PgEventLog.originFrom(origin, "o")}`,
    ...aboutInvitation(none, itself)
  })
  return {
    // The new version of the inviter makes a change of its role, and its deletion, begin again.
    insert: statement<{
      readonly isAllowed: boolean
      readonly isForeign: boolean
      readonly isTaken: boolean
      readonly isFull: boolean
      readonly invitation: ShownInvitation | null
    }>(
      client,
      "InvitationStore.insert",
      sql`with organisation_row as materialized (
         select id, name from ${table("organisation")} where id = $1::uuid and status = 'active' for key share
       ), inviter as (
         update ${table("console_user")} i set role = i.role from organisation_row r
         where i.organisation_id = r.id and i.id = $8::uuid
         returning i.id, i.role
       ), state as materialized (
         select (i.role, $7::text) in (${givable}) as is_allowed, ${isForeign("$12::text", "r.id")} as is_foreign,
           exists (select from ${table("console_user")} u where u.organisation_id = r.id and u.login = $4::text) as taken,
           (select count(*) from ${standing("$9")} where l.organisation_id = r.id and l.login <> $4::text)
             >= ${maximumInvitations} as is_full
         from organisation_row r cross join inviter i
       ), u as (
         insert into ${table("console_link")} as l
           (organisation_id, id, purpose, digest, login, email, name, role, created_by, created_at, expires_at, domain)
         select r.id, $2::uuid, 'invitation', ${bytes("$3")}, $4::text, $5::text, $6::text, $7::text, $8::uuid,
           ${instant("$9")}, ${instant("$10")}, $12::text
         from organisation_row r cross join state s
         where s.is_allowed and not s.is_foreign and not s.taken and not s.is_full
         on conflict (organisation_id, login) where purpose = 'invitation' do update
         set (id, digest, email, name, role, created_by, created_at, expires_at, mailed_at, domain) = (excluded.id,
           excluded.digest, excluded.email, excluded.name, excluded.role, excluded.created_by, excluded.created_at,
           excluded.expires_at, null, excluded.domain)
         where ((select role from inviter), l.role) in (${givable}) or l.expires_at <= ${instant("$9")} or not exists (
           select from ${table("console_user")} i
           where i.organisation_id = l.organisation_id and i.id = l.created_by and (i.role, l.role) in (${givable})
         )
         returning l.*
       ), ${PgEventLog.writeEvents(invited("$11"))}
       ${mainQuery} select json_build_object('isAllowed', s.is_allowed, 'isForeign', s.is_foreign, 'isTaken', s.taken,
         'isFull', s.is_full, 'invitation', (
         select ${shown("u")}::json from u join organisation_row o on o.id = u.organisation_id
           join ${table("console_user")} i on i.organisation_id = u.organisation_id and i.id = u.created_by
       ))::text, ${PgEventLog.writtenTypes} from state s`,
      { owned: true }
    ),

    list: statement<ReadonlyArray<Invitation>>(
      client,
      "InvitationStore.list",
      sql`select coalesce(json_agg(${row("l")} order by l.created_at, l.id), '[]')::text
       from ${standing("$2")} where l.organisation_id = $1::uuid`,
      { owned: true, repeatable: true }
    ),

    find: statement<ShownInvitation>(
      client,
      "InvitationStore.find",
      sql`select ${shown("l")} from ${standing("$2")} where l.digest = ${bytes("$1")}`,
      { repeatable: true }
    ),

    renew: statement<ShownInvitation>(
      client,
      "InvitationStore.renew",
      sql`with found as materialized (
         select l.organisation_id, l.id, o.name as organisation, i.name as inviter
         from ${standing("$4")}
         where l.organisation_id = $1::uuid and l.id = $2::uuid and l.role = any ($6::text::text[])
         for update of l
       ), u as (
         update ${table("console_link")} l set digest = ${bytes("$3")}, expires_at = ${instant("$5")}, mailed_at = null
         from found f where l.organisation_id = f.organisation_id and l.id = f.id
         returning l.*
       ), ${PgEventLog.writeEvents(invited("$7"))}
       ${mainQuery} select (${row("u")}::jsonb || jsonb_build_object('organisation', f.organisation, 'inviter', f.inviter))::text,
         ${PgEventLog.writtenTypes} from u cross join found f`,
      { owned: true }
    ),

    delete: statement<boolean>(
      client,
      "InvitationStore.delete",
      sql`with u as (
         delete from ${table("console_link")} l
         where l.organisation_id = $1::uuid and l.id = $2::uuid and l.purpose = 'invitation'
           and l.role = any ($3::text::text[])
         returning l.*
       ), ${PgEventLog.writeEvents({
         type: "user.deleted",
         from: `u cross join ${PgEventLog.originFrom("$4", "o")}`,
         ...aboutInvitation(itself, none)
       })}
       ${mainQuery} select to_json(exists (select from u))::text, ${PgEventLog.writtenTypes}`,
      { owned: true }
    ),

    // The lock on the inviter lets a change of its role, and its deletion, wait or come first; that on
    // the invitation lets one of several acceptances win. A taken address leaves the invitation.
    accept: statement<{ readonly isFound: boolean; readonly user: UserRow | null }>(
      client,
      "InvitationStore.accept",
      sql`with ${organisationRow}, inviter as materialized (
         select l.id as invitation_id from ${standing("$5")} join organisation_row r on r.id = l.organisation_id
         where l.organisation_id = $1::uuid and l.digest = ${bytes("$2")}
         for share of i
       ), found as materialized (
         select l.* from ${table("console_link")} l join inviter i on i.invitation_id = l.id
         where l.organisation_id = $1::uuid and l.digest = ${bytes("$2")}
         for update of l
       ), u as (
         insert into ${table("console_user")}
           (organisation_id, id, login, email, name, role, password_hash, password_version, created_at)
         select f.organisation_id, f.id, f.login, f.email, $3::text, f.role, $4::text, 1, ${instant("$5")} from found f
         on conflict (login) do nothing
         returning *
       ), used as (
         delete from ${table("console_link")} l using u where l.organisation_id = u.organisation_id and l.id = u.id
         returning l.id
       ), ${PgEventLog.writeEvents({
         type: "user.created",
         from: `u join used on used.id = u.id cross join ${PgEventLog.originFrom("$6", "o")}`,
         ...about(
           changed("email", "null", "u.email"),
           changed("name", "null", "u.name"),
           changed("role", "null", "u.role")
         )
       })}
       ${mainQuery} select json_build_object('isFound', exists (select from found), 'user',
         (select to_json(x) from (select ${columns("u")} from u) x))::text, ${PgEventLog.writtenTypes}`,
      { owned: true }
    ),

    markMailed: statement(
      client,
      "InvitationStore.markMailed",
      sql`${mainChange} update ${table("console_link")} set mailed_at = ${instant("$3")}
       where organisation_id = $1::uuid and digest = ${bytes("$2")}`,
      { owned: true }
    )
  }
}
