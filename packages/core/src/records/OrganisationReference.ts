/**
 * Organisations as records, which all others refer to.
 */
import { Schema } from "effect"
import { Organisation, OrganisationId, organisationMembers } from "../organisations/Organisation.ts"
import { eventAbout, named } from "./EventAbout.ts"
import type { RecordKind } from "./RecordKind.ts"

/** The existence of an organisation. */
export const organisationReference: RecordKind<Pick<Organisation, "id">> = {
  name: "organisation",
  members: Schema.Struct({ id: OrganisationId }),
  unique: [],
  references: [],
  bounds: [],
  belongsTo: "organisation",
  isExistence: true
}

/** Organisations, for adapters that store them as they store records. No rule writes this kind. */
export const organisationKind: RecordKind<Organisation> = {
  name: "organisation",
  members: Organisation,
  unique: [],
  references: [],
  bounds: []
}

/** An event about a change of an organisation. */
export const organisationEvent = eventAbout<Organisation>(organisationMembers, named)
