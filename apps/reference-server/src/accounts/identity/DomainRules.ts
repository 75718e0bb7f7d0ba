/** Rules of claimed domains as pure functions: records and a command in, a change or a refusal out. */
import {
  type EventOrigin,
  type Find,
  makeUnchecked,
  type OrganisationId,
  OrganisationNotFound,
  organisationReference
} from "@solar-sites/core"
import { Result, Schema } from "effect"
import { changing, inserting, type Rule, removing } from "../Commands.ts"
import { DomainRecord, domainKind } from "./IdentityKind.ts"

/** Other organisations have these domains. */
export class DomainTaken extends Schema.TaggedError<DomainTaken>("@solar-sites/reference-server/DomainTaken")(
  "DomainTaken",
  { domains: Schema.Array(Schema.String) }
) {}

export const findsDomains = (organisationId: OrganisationId): Find => ({
  kind: domainKind,
  by: "organisationId",
  values: [organisationId]
})

/** The records that `setDomains` reads. */
export const findsOfDomains = (organisationId: OrganisationId): ReadonlyArray<Find> => [
  { kind: organisationReference, by: "id", values: [organisationId] },
  findsDomains(organisationId)
]

/**
 * Replaces the domains of an organisation. `taken` are those that other organisations had at a look-up; the refusal
 * names none when another one came first since.
 */
export const setDomains =
  (organisationId: OrganisationId, wanted: ReadonlyArray<string>, taken: ReadonlyArray<string>) =>
  (origin: EventOrigin): Rule<ReadonlyArray<string>, DomainTaken | OrganisationNotFound> =>
  (found) => {
    if (found.byId(organisationReference, organisationId) === null) {
      return Result.fail(new OrganisationNotFound({ organisationId }))
    }
    if (taken.length > 0 || found.isTaken(domainKind, "id")) return Result.fail(new DomainTaken({ domains: taken }))
    const domains = [...new Set(wanted)].toSorted()
    const present = found.all(domainKind, "organisationId", organisationId)
    const removed = present.filter(({ record }) => !domains.includes(record.id))
    const added = domains.filter((id) => !present.some(({ record }) => record.id === id))
    return changing(domains, origin, [
      ...removed.map((one) => removing(domainKind, one)),
      ...added.map((id) => inserting(domainKind, makeUnchecked(DomainRecord, { id, organisationId })))
    ])
  }
