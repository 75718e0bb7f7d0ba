/** Look-ups of identities in all organisations, by the provider's name of a user. */
import { type PgClient, sql, statement, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId } from "@solar-sites/core"
import { Effect } from "effect"
import { loginOf } from "../people/User.ts"
import type { Acquaintance, Address, Identity } from "./IdentityRules.ts"

const unknown: Acquaintance = { identity: null, sameEmail: null, organisationOfDomain: null }

export const identityLookUps = (client: PgClient["Service"]) => {
  const known = `'user', json_build_object('id', u.id, 'organisationId', u.organisation_id, 'email', u.email, 'role', u.role),
    'passwordVersion', u.password_version, 'organisationStatus', o.status`
  const find = statement<Acquaintance, Identity & { login: string; domain: string }>(
    client,
    "IdentityLookUps.find",
    ({ domain, issuer, login, subject }) => sql`select json_build_object(
         'identity', (
           select json_build_object('known', (
             select json_build_object(${known})
             from ${table("console_user")} u join ${table("organisation")} o on o.id = u.organisation_id
             where u.organisation_id = i.organisation_id and u.id = i.user_id
           ))
           from ${table("console_identity")} i where i.issuer = ${issuer}::text and i.subject = ${subject}::text
         ),
         'sameEmail', (
           select json_build_object(${known},
             'isAllowed', exists (
               select from ${table("console_login_domain")} d where d.organisation_id = u.organisation_id and d.domain = ${domain}::text
             ),
             'isLinked', exists (
               select from ${table("console_identity")} i
               where i.organisation_id = u.organisation_id and i.user_id = u.id and i.issuer = ${issuer}::text
             )
           )
           from ${table("console_user")} u join ${table("organisation")} o on o.id = u.organisation_id
           where u.login = ${login}::text
         ),
         'organisationOfDomain', (
           select o.id from ${table("console_login_domain")} d
           join ${table("organisation")} o on o.id = d.organisation_id and o.status = 'active'
           where d.domain = ${domain}::text
         )
       )::text`,
    { across: true }
  )

  return {
    /** Without a verified address, only the identity is looked up. */
    find: (identity: Identity, address: Address | undefined) => {
      const { email = "", domain = "" } = address ?? {}
      return Effect.map(find({ ...identity, login: loginOf(email), domain }), (found) => found ?? unknown)
    },

    /** The organisation that has the identity. */
    findOwner: statement<OrganisationId, Identity>(
      client,
      "IdentityLookUps.findOwner",
      ({ issuer, subject }) => sql`select to_json(i.organisation_id)::text from ${table("console_identity")} i
       where i.issuer = ${issuer}::text and i.subject = ${subject}::text`,
      { across: true }
    )
  }
}
