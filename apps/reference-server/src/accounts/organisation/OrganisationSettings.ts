/** Settings of the console per organisation, and the views of the list of sites that its users share. */
import {
  type Find,
  type Found,
  makeUnchecked,
  OrganisationId,
  organisationEvent,
  organisationKind,
  recordKind,
  type Write
} from "@solar-sites/core"
import { Schema } from "effect"
import { SharedView } from "../../console/contract/OrganisationApi.ts"
import { type Command, changing, find, on, storing, unchanged } from "../Commands.ts"
import { domainKind } from "../identity/IdentityKind.ts"

/** An organisation without a record demands no second factor and shares no views. */
export class SettingsRecord extends Schema.Class<SettingsRecord>("@solar-sites/reference-server/SettingsRecord")({
  id: OrganisationId,
  organisationId: OrganisationId,
  requireSecondFactor: Schema.Boolean,
  views: Schema.Array(SharedView)
}) {}

/** `jsonb` does not keep the order of members. */
export const viewsInForm = (stored: unknown): SettingsRecord["views"] =>
  Schema.decodeUnknownSync(Schema.Array(SharedView))(stored)

export const settingsKind = recordKind("console_settings", SettingsRecord, {
  references: [{ member: "organisationId", kind: "organisation" }]
})

/** The records that `settingsOf` reads. */
export const findsOfSettings = (organisationId: OrganisationId): ReadonlyArray<Find> => [
  find(settingsKind, "id", organisationId),
  find(domainKind, "organisationId", organisationId)
]

/**
 * The settings; the defaults for an unknown organisation. `loginDomains` are domains of e-mail addresses for OpenID
 * Connect; the operator sets them.
 */
export const settingsOf = (found: Found, organisationId: OrganisationId) => ({
  requireSecondFactor: found.byId(settingsKind, organisationId)?.record.requireSecondFactor ?? false,
  loginDomains: found.all(domainKind, "organisationId", organisationId).map(({ record }) => record.id)
})

/** Changes some settings of an organisation that exists. */
const writingSettings = (
  found: Found,
  organisationId: OrganisationId,
  changed: Partial<Pick<SettingsRecord, "requireSecondFactor" | "views">>
): Write => {
  const before = found.byId(settingsKind, organisationId)
  const none = { id: organisationId, organisationId, requireSecondFactor: false, views: [] }
  return storing(settingsKind, before, makeUnchecked(SettingsRecord, { ...none, ...before?.record, ...changed }))
}

/** Takes effect with the next request of each session. */
export const requireSecondFactor = (organisationId: OrganisationId, isRequired: boolean): Command<void> => ({
  ...on(settingsKind, organisationId, "OrganisationSettings.write", organisationId),
  finds: [find(organisationKind, "id", organisationId), find(settingsKind, "id", organisationId)],
  rule: (found) => {
    const organisation = found.byId(organisationKind, organisationId)?.record
    const wasRequired = found.byId(settingsKind, organisationId)?.record.requireSecondFactor ?? false
    if (organisation === undefined || wasRequired === isRequired) return unchanged(undefined)
    const change = { requireSecondFactor: { from: wasRequired, to: isRequired } }
    const events = [organisationEvent("organisation.updated", organisation, organisation, change)]
    const writes = [writingSettings(found, organisationId, { requireSecondFactor: isRequired })]
    return changing(undefined, writes, events, [organisationId])
  }
})

type View = typeof SharedView.Type

export const maximumSharedViews = 50

export const findsOfViews = (organisationId: OrganisationId) => [find(settingsKind, "id", organisationId)]

/** In the order of their names. */
export const sharedViewsOf = (found: Found, organisationId: OrganisationId): ReadonlyArray<View> =>
  found.byId(settingsKind, organisationId)?.record.views ?? []

/** Replaces the view of this name; the query null removes it. Answers false where there is no room for another one. */
export const shareView = (
  organisationId: OrganisationId,
  { name, query }: { readonly name: string; readonly query: string | null }
): Command<boolean> => ({
  ...on(settingsKind, organisationId, "SharedViews.write", organisationId),
  finds: [find(organisationKind, "id", organisationId), ...findsOfViews(organisationId)],
  rule: (found) => {
    const before = sharedViewsOf(found, organisationId)
    const others = before.filter((view) => view.name !== name)
    const views = query === null ? others : [...others, { name, query }].sort((a, b) => (a.name < b.name ? -1 : 1))
    const isGone = found.byId(organisationKind, organisationId) === null
    if (isGone || views.length > maximumSharedViews) return unchanged(isGone)
    if (JSON.stringify(views) === JSON.stringify(before)) return unchanged(true)
    return changing(true, [writingSettings(found, organisationId, { views })], [], [organisationId])
  }
})
