/** Views of the list of sites that the users of an organisation share, each under its own name. */
import { type Found, type OrganisationId, organisationKind } from "@solar-sites/core"
import type { SharedView } from "../../console/contract/OrganisationApi.ts"
import { type Command, changing, find, on, unchanged } from "../Commands.ts"
import { settingsKind, writingSettings } from "./OrganisationSettings.ts"

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
