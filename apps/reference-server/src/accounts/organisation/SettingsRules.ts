/** Rules of the settings of the console as pure functions: records and a command in, a change or a refusal out. */
import {
  type EventOrigin,
  type Find,
  type Found,
  makeUnchecked,
  type OrganisationId,
  organisationEvent,
  organisationKind
} from "@solar-sites/core"
import { changing, findsOrganisation, inserting, type Rule, unchanged, updating } from "../Commands.ts"
import { findsDomains } from "../identity/DomainRules.ts"
import { domainKind } from "../identity/IdentityKind.ts"
import { findsSettings, SettingsRecord, settingsKind } from "./SettingsKind.ts"

/** `loginDomains` are domains of e-mail addresses for OpenID Connect; the operator sets them. */
export interface OrganisationSettingsDocument {
  readonly requireSecondFactor: boolean
  readonly loginDomains: ReadonlyArray<string>
}

/** The records that `settingsOf` reads. */
export const findsOfSettings = (organisationId: OrganisationId): ReadonlyArray<Find> => [
  findsSettings(organisationId),
  findsDomains(organisationId)
]

export const settingsOf = (found: Found, organisationId: OrganisationId): OrganisationSettingsDocument => ({
  requireSecondFactor: found.byId(settingsKind, organisationId)?.record.requireSecondFactor ?? false,
  loginDomains: found.all(domainKind, "organisationId", organisationId).map(({ record }) => record.id)
})

/** The records that `requireSecondFactor` reads. */
export const findsOfDemand = (organisationId: OrganisationId): ReadonlyArray<Find> => [
  findsOrganisation(organisationId),
  findsSettings(organisationId)
]

export const requireSecondFactor =
  (organisationId: OrganisationId, isRequired: boolean) =>
  (origin: EventOrigin): Rule<void> =>
  (found) => {
    const organisation = found.byId(organisationKind, organisationId)?.record
    const before = found.byId(settingsKind, organisationId)
    const wasRequired = before?.record.requireSecondFactor ?? false
    if (organisation === undefined || wasRequired === isRequired) return unchanged(undefined)
    const after = makeUnchecked(SettingsRecord, {
      id: organisationId,
      organisationId,
      requireSecondFactor: isRequired
    })
    const change = { requireSecondFactor: { from: wasRequired, to: isRequired } }
    return changing(
      undefined,
      origin,
      [before === null ? inserting(settingsKind, after) : updating(settingsKind, before, after)],
      [organisationEvent("organisation.updated", organisation, organisation, change)],
      { mayChange: [organisationId] }
    )
  }
