/**
 * An organisation: owner of all other resources and boundary between tenants.
 */
import { Schema } from "effect"
import { readOnlyMembers } from "../input/ReadOnlyMembers.ts"
import { Name } from "../input/Text.ts"
import { Uuid } from "../input/Uuid.ts"

export const OrganisationId = Uuid.pipe(Schema.brand("OrganisationId"))
export type OrganisationId = typeof OrganisationId.Type

/** The keys of an inactive organisation are refused. */
export const OrganisationStatus = Schema.Literals(["active", "inactive"])
export type OrganisationStatus = typeof OrganisationStatus.Type

export class Organisation extends Schema.Class<Organisation>("@solar-sites/core/Organisation")({
  id: OrganisationId,
  name: Name,
  status: OrganisationStatus
}) {}

/** The members that operators change: events show their changes. */
export const organisationMembers = ["name", "status"] as const satisfies ReadonlyArray<keyof Organisation>

/** Input for a new organisation, which is active. */
export const CreateOrganisation = Schema.Struct({ ...readOnlyMembers, name: Name })
export type CreateOrganisation = typeof CreateOrganisation.Type

/** An absent member keeps its value. */
export const UpdateOrganisation = Schema.Struct({
  ...readOnlyMembers,
  name: Schema.optionalKey(Name),
  status: Schema.optionalKey(OrganisationStatus)
})
export type UpdateOrganisation = typeof UpdateOrganisation.Type
