/**
 * Domains of e-mail addresses, each of one organisation at most. Users of these domains log in by
 * OpenID Connect without an invitation.
 */
import { domainToASCII } from "node:url"
import { PgClient, sql, statement, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, OrganisationNotFound, Records, RepositoryError } from "@solar-sites/core"
import { Context, Effect, Layer } from "effect"
import { makeCommands } from "../Commands.ts"
import { type DomainTaken, findsOfDomains, setDomains } from "./DomainRules.ts"
import { domainKind } from "./IdentityKind.ts"

/** The domain of an address or of a setting, in the form that is stored; empty for no domain. */
export const domainOf = (text: string): string => domainToASCII(text.slice(text.lastIndexOf("@") + 1).trim())

export const isDomain = (text: string): boolean =>
  text.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/.test(text)

/** The given domains (a JSON array) that other organisations have claimed. */
export const findDomainsOfOthers = (client: PgClient["Service"]) =>
  statement<ReadonlyArray<string>, { organisationId: OrganisationId; domains: string }>(
    client,
    "LoginDomains.findOfOthers",
    ({ domains, organisationId }) => sql`select coalesce(json_agg(d.domain order by d.domain), '[]')::text
     from ${table("console_login_domain")} d
     where d.organisation_id <> ${organisationId}::uuid
       and d.domain in (select json_array_elements_text(${domains}::text::json))`,
    { across: true }
  )

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
  static readonly layer: Layer.Layer<LoginDomains, never, PgClient | Records> = Layer.effect(
    LoginDomains,
    Effect.gen(function* () {
      const domainsOfOthers = findDomainsOfOthers(yield* PgClient)
      const { decide } = yield* makeCommands

      const set = Effect.fn("LoginDomains.set")(function* (
        organisationId: OrganisationId,
        domains: ReadonlyArray<string>
      ) {
        const taken = yield* domainsOfOthers({ organisationId, domains: JSON.stringify(domains) })
        return yield* decide({
          operation: "LoginDomains.set",
          organisationId,
          of: { kind: domainKind, id: organisationId },
          finds: findsOfDomains(organisationId),
          rule: setDomains(organisationId, domains, taken ?? [])
        })
      })

      return LoginDomains.of({
        // A concurrent claim of another organisation, which the look-up did not see.
        set: (organisationId, domains) =>
          Effect.retry(set(organisationId, domains), {
            while: (error) => error._tag === "DomainTaken" && error.domains.length === 0,
            times: 3
          })
      })
    })
  )
}
