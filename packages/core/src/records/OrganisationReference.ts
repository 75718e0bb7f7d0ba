/**
 * Organisations as records, which all others refer to.
 */
import { Schema } from "effect"
import { Organisation, OrganisationId, organisationMembers } from "../organisations/Organisation.ts"
import { eventAbout, named } from "./EventAbout.ts"
import { recordKind } from "./RecordKind.ts"

/** The existence of an organisation. */
export const organisationReference = recordKind("organisation", Schema.Struct({ id: OrganisationId }), {
  belongsTo: "organisation",
  isExistence: true
})

/** Organisations, for adapters that store them as they store records. No rule writes this kind. */
export const organisationKind = recordKind("organisation", Organisation)

/** An event about a change of an organisation. */
export const organisationEvent = eventAbout<Organisation>(organisationMembers, named)
