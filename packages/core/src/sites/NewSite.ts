/**
 * Makes sites from the input of a caller.
 */
import type { DateTime } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { capacityKw } from "./Capacity.ts"
import { type CreateSite, emptySiteMembers, Site, type SiteId } from "./Site.ts"

const memberNames = Object.keys(Site.fields)

/**
 * A site in version 1, with the members in the order of the model. An absent or null member has no value. The
 * input is decoded, and not checked again.
 */
export const newSite = (
  input: Omit<CreateSite, "id">,
  {
    at,
    id,
    organisationId
  }: { readonly at: DateTime.Utc; readonly id: SiteId; readonly organisationId: OrganisationId }
): Site => {
  const { capacity, siteName, unit } = input
  const derived = {
    id,
    organisationId,
    capacityKw: capacityKw(capacity, unit),
    createdAt: at,
    updatedAt: at,
    version: 1
  }
  const own = { siteName, capacity, unit, ...derived }
  const valueIn = (name: string): unknown =>
    Reflect.get(own, name) ?? Reflect.get(input, name) ?? Reflect.get(emptySiteMembers, name)
  // Each member of the model is required, derived, or optional with an empty value.
  const members = Object.fromEntries(memberNames.map((name) => [name, valueIn(name)])) as unknown as Pick<
    Site,
    keyof Site
  >
  return makeUnchecked(Site, members)
}
