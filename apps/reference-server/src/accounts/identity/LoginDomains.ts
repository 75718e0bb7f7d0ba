/**
 * Domains of e-mail addresses, each of one organisation at most. Users of these domains log in by
 * OpenID Connect without an invitation.
 */
import { domainToASCII } from "node:url"
import { mainQuery, PgClient, sql, table } from "@solar-sites/adapter-postgres"
import { type OrganisationId, OrganisationNotFound, type RepositoryError } from "@solar-sites/core"
import { Context, Effect, Layer, Schema } from "effect"
import { statement } from "../Statement.ts"

/** The domain of an address or of a setting, in the form that is stored; empty for no domain. */
export const domainOf = (text: string): string => domainToASCII(text.slice(text.lastIndexOf("@") + 1).trim())

export const isDomain = (text: string): boolean =>
  text.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/.test(text)

/** Another organisation has these domains. */
export class DomainTaken extends Schema.TaggedError<DomainTaken>("@solar-sites/reference-server/DomainTaken")(
  "DomainTaken",
  { domains: Schema.Array(Schema.String) }
) {}

export class LoginDomains extends Context.Service<
  LoginDomains,
  {
    /** Replaces the domains of the organisation, or changes nothing. Succeeds with them, sorted. */
    readonly set: (
      organisationId: OrganisationId,
      domains: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, DomainTaken | OrganisationNotFound | RepositoryError>
  }
>()("@solar-sites/reference-server/LoginDomains") {
  static readonly layer: Layer.Layer<LoginDomains, never, PgClient> = Layer.effect(
    LoginDomains,
    Effect.map(PgClient, (client) => {
      const set = statement<{ readonly found: boolean; readonly taken: ReadonlyArray<string> }>(
        client,
        "LoginDomains.set",
        sql`with wanted as (
           select distinct w.domain from json_array_elements_text($2::text::json) as w (domain)
         ), taken as (
           select d.domain from ${table("console_login_domain")} d join wanted w on w.domain = d.domain
           where d.organisation_id <> $1::uuid
         ), o as (
           select id from ${table("organisation")} where id = $1::uuid and not exists (select from taken) for key share
         ), removed as (
           delete from ${table("console_login_domain")} d using o
           where d.organisation_id = o.id and d.domain not in (select domain from wanted)
         ), added as (
           insert into ${table("console_login_domain")} (organisation_id, domain)
           select o.id, w.domain from o cross join wanted w
           where not exists (select from ${table("console_login_domain")} d where d.organisation_id = o.id and d.domain = w.domain)
         )
         ${mainQuery} select json_build_object(
           'found', exists (select from ${table("organisation")} where id = $1::uuid),
           'taken', (select coalesce(json_agg(domain order by domain), '[]') from taken)
         )::text`,
        { owned: true }
      )
      return LoginDomains.of({
        set: Effect.fn("LoginDomains.set")(function* (organisationId, domains) {
          // A concurrent claim of another organisation fails the first attempt; the second one reports it.
          const answer = yield* Effect.retry(set(organisationId, JSON.stringify(domains)), { times: 1 })
          if (answer?.found !== true) return yield* new OrganisationNotFound({ organisationId })
          if (answer.taken.length > 0) return yield* new DomainTaken({ domains: answer.taken })
          return [...new Set(domains)].toSorted()
        })
      })
    })
  )
}
