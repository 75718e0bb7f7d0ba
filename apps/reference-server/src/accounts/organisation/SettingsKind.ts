/** Settings of the console as records, one per organisation. */
import { OrganisationId, type RecordKind } from "@solar-sites/core"
import { Schema } from "effect"

/** An organisation without a record demands no second factor. */
export class SettingsRecord extends Schema.Class<SettingsRecord>("@solar-sites/reference-server/SettingsRecord")({
  id: OrganisationId,
  organisationId: OrganisationId,
  requireSecondFactor: Schema.Boolean
}) {}

export const settingsKind: RecordKind<SettingsRecord> = {
  name: "console_settings",
  members: SettingsRecord,
  unique: [],
  references: [{ member: "organisationId", kind: "organisation" }],
  bounds: []
}

export const findsSettings = (organisationId: OrganisationId) => ({
  kind: settingsKind,
  by: "id",
  values: [organisationId]
})
