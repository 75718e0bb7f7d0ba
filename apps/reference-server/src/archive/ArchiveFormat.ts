/** The form of an archive: names of entries, and the manifest at its end (docs/decisions/0042). */
import { OrganisationId, OrganisationStatus } from "@solar-sites/core"
import { Schema } from "effect"

export const manifestName = "manifest.json"
export const fileFolder = "files/"

/** Version of the format that this version writes and reads. */
export const formatVersion = 1

export const OrganisationState = Schema.Struct({
  id: OrganisationId,
  name: Schema.String,
  status: OrganisationStatus,
  /** Version of the list of document requirements; 0 without a list. */
  requirementsVersion: Schema.Int,
  requirementsUpdatedAt: Schema.NullOr(Schema.String),
  lastSequence: Schema.Int,
  lastEventAt: Schema.NullOr(Schema.String),
  requireSecondFactor: Schema.Boolean
})
export type OrganisationState = typeof OrganisationState.Type

export const ArchiveEntry = Schema.Struct({ name: Schema.String, sizeBytes: Schema.Int, sha256: Schema.String })
export type ArchiveEntry = typeof ArchiveEntry.Type

export const Manifest = Schema.Struct({
  format: Schema.Literal("solar-sites-organisation"),
  formatVersion: Schema.Int,
  exportedAt: Schema.String,
  organisation: OrganisationState,
  /** Lines per resource, and the number of files. */
  counts: Schema.Record(Schema.String, Schema.Int),
  /** Ids of documents that are past their upload and have no file in the storage. */
  missingFiles: Schema.Array(Schema.String),
  /** All entries but the manifest itself, in their order. */
  entries: Schema.Array(ArchiveEntry)
})
export type Manifest = typeof Manifest.Type
