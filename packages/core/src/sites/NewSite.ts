/**
 * Makes sites from the input of a caller.
 */
import type { DateTime } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { makeUnchecked } from "../persistence/MakeUnchecked.ts"
import { capacityKw } from "./Capacity.ts"
import { type CreateSite, Site, type SiteId } from "./Site.ts"

/** A site in version 1, with null for absent members. The input is decoded, and not checked again. */
export const newSite = (
  input: Omit<CreateSite, "id">,
  {
    at,
    id,
    organisationId
  }: { readonly at: DateTime.Utc; readonly id: SiteId; readonly organisationId: OrganisationId }
): Site =>
  makeUnchecked(Site, {
    id,
    organisationId,
    siteName: input.siteName,
    capacity: input.capacity,
    unit: input.unit,
    address: input.address ?? null,
    latitude: input.latitude ?? null,
    longitude: input.longitude ?? null,
    portfolioId: input.portfolioId ?? null,
    siteManager: input.siteManager ?? null,
    coverImageUrl: input.coverImageUrl ?? null,
    capacityKw: capacityKw(input.capacity, input.unit),
    createdAt: at,
    updatedAt: at,
    version: 1,
    externalId: input.externalId ?? null,
    tags: input.tags ?? [],
    attributes: input.attributes ?? {}
  })
