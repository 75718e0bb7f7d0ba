/**
 * Domains of e-mail addresses, each of one organisation at most. Users of these domains log in by
 * OpenID Connect without an invitation.
 */
import { domainToASCII } from "node:url"
import { PgClient, sql, statement, table } from "@solar-sites/adapter-postgres"
import { makeUnchecked, type OrganisationId, OrganisationNotFound, organisationReference } from "@solar-sites/core"
import { Data, Effect, Result } from "effect"
import { type Command, changing, find, makeCommands, on, removing, storing } from "../Commands.ts"
import { DomainRecord, domainKind } from "./IdentityKind.ts"

/** Other organisations have these domains. */
export class DomainTaken extends Data.TaggedError("DomainTaken")<{ readonly domains: ReadonlyArray<string> }> {}

/** The domain of an address or of a setting, in the form that is stored; empty for no domain. */
export const domainOf = (text: string): string => domainToASCII(text.slice(text.lastIndexOf("@") + 1).trim())

export const isDomain = (text: string): boolean =>
  text.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/.test(text)

/**
 * Replaces the domains of an organisation. `taken` are those that other organisations had at a look-up; the refusal
 * names none when another one came first since.
 */
export const setDomains = (
  organisationId: OrganisationId,
  wanted: ReadonlyArray<string>,
  taken: ReadonlyArray<string>
): Command<ReadonlyArray<string>, DomainTaken | OrganisationNotFound> => ({
  ...on(domainKind, organisationId, "LoginDomains.set", organisationId),
  finds: [find(organisationReference, "id", organisationId), find(domainKind, "organisationId", organisationId)],
  rule: (found) => {
    if (found.byId(organisationReference, organisationId) === null) {
      return Result.fail(new OrganisationNotFound({ organisationId }))
    }
    if (taken.length > 0 || found.isTaken(domainKind, "id")) return Result.fail(new DomainTaken({ domains: taken }))
    const domains = [...new Set(wanted)].toSorted()
    const present = found.all(domainKind, "organisationId", organisationId)
    const removed = present.filter(({ record }) => !domains.includes(record.id))
    const added = domains.filter((id) => !present.some(({ record }) => record.id === id))
    return changing(domains, [
      ...removed.map((one) => removing(domainKind, one)),
      ...added.map((id) => storing(domainKind, null, makeUnchecked(DomainRecord, { id, organisationId })))
    ])
  }
})

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

/** Replaces the domains of an organisation, or changes nothing. Succeeds with them, sorted. */
export const loginDomains = Effect.gen(function* () {
  const domainsOfOthers = findDomainsOfOthers(yield* PgClient)
  const { decide } = yield* makeCommands

  return Effect.fn("LoginDomains.set")(
    function* (organisationId: OrganisationId, domains: ReadonlyArray<string>) {
      const taken = yield* domainsOfOthers({ organisationId, domains: JSON.stringify(domains) })
      return yield* decide(setDomains(organisationId, domains, taken ?? []))
    },
    // A concurrent claim of another organisation, which the look-up did not see.
    Effect.retry({ while: (error) => error._tag === "DomainTaken" && error.domains.length === 0, times: 3 })
  )
})
