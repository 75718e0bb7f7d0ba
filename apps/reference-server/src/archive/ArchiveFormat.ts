/** The form of an archive: names of entries, and the manifest at its end (docs/decisions/0039). */
import { OrganisationId, OrganisationStatus } from "@solar-sites/core"
import { Effect, Schema } from "effect"
import { SharedView } from "../console/contract/OrganisationApi.ts"

export const manifestName = "manifest.json"
export const fileFolder = "files/"

/** Version of the format that this version writes and reads. */
export const formatVersion = 1

/**
 * Bounds of an archive, which hold for exports too. Each is checked while the archive is read. The bytes
 * of files have no bound of their own: they follow from `ratio` and the bytes of the archive.
 */
export const archiveBounds = {
  lineBytes: 16 * 2 ** 20,
  tableBytes: 16 * 2 ** 30,
  manifestBytes: 256 * 2 ** 20,
  rows: 1_000_000,
  events: 10_000_000,
  files: 1_000_000,
  /** Unpacked by packed bytes. The compression of exports packs no bytes to less than a 230th. */
  ratio: 250,
  /** Unpacked bytes that `ratio` does not count. */
  freeBytes: 64 * 2 ** 20,
  /** Objects and arrays within each other. */
  depth: 32
}

/** A member that archives of earlier versions may not have. */
const later = <S extends Schema.Top>(schema: S, absent: S["Encoded"]) =>
  schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(absent)))

export const OrganisationState = Schema.Struct({
  id: OrganisationId,
  name: Schema.String,
  status: OrganisationStatus,
  /** Version of the list of document requirements; 0 without a list. */
  requirementsVersion: later(Schema.Int, 0),
  requirementsUpdatedAt: later(Schema.NullOr(Schema.String), null),
  lastSequence: later(Schema.Int, 0),
  lastEventAt: later(Schema.NullOr(Schema.String), null),
  requireSecondFactor: later(Schema.Boolean, false),
  sharedViews: later(Schema.Array(SharedView), [])
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
  missingFiles: later(Schema.Array(Schema.String), []),
  /** All entries but the manifest itself, in their order. */
  entries: Schema.Array(ArchiveEntry)
})
export type Manifest = typeof Manifest.Type
