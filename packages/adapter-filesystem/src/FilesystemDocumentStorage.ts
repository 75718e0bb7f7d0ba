/** `DocumentStorage` in a folder. `serving/` serves the signed addresses. */
import {
  DocumentStorage,
  type OrganisationId,
  parseStorageKey,
  type StorageKeyParts,
  storageKey,
  type Validity
} from "@solar-sites/core"
import { Clock, DateTime, Duration, Effect, Option } from "effect"
import { attemptBounded, storageError } from "./FileFailure.ts"
import { type Folder, findIncoming, openAt, removeAll } from "./Folder.ts"
import { listPage } from "./Listing.ts"
import { sign } from "./Signature.ts"

// An upload without progress is ended after 30 s. An older file was left by a process that ended.
const abandonedAfter = Duration.minutes(2)

export interface StorageParts {
  readonly folder: Folder
  readonly secret: Uint8Array
  /** Base of addresses, without a trailing slash. */
  readonly publicUrl: Effect.Effect<string>
}

const instantsOf = ({ from, until }: Validity) => ({
  begins: DateTime.toEpochMillis(from),
  expires: DateTime.toEpochMillis(until)
})

const inspectIn = async (folder: Folder, key: StorageKeyParts) => {
  const file = await openAt(folder, key)
  await file?.handle.close()
  return file === null
    ? Option.none()
    : Option.some({ sizeBytes: file.sizeBytes, mimeType: file.mimeType, contentCoding: null })
}

/** The parts of a key; none if it belongs to another organisation. */
const ownParts = (organisationId: OrganisationId, key: string): Option.Option<StorageKeyParts> =>
  Option.filter(parseStorageKey(key), (parts) => parts.organisationId === organisationId)

export const makeDocumentStorage = ({ folder, publicUrl, secret }: StorageParts): DocumentStorage["Service"] => {
  const addressOf = (base: string, organisationId: OrganisationId, key: string): string => {
    if (Option.isNone(ownParts(organisationId, key))) throw new Error("The key belongs to another organisation.")
    return `${base}/storage/${key}`
  }

  return DocumentStorage.of({
    signUploads: (organisationId, uploads, validity) =>
      Effect.flatMap(publicUrl, (base) =>
        Effect.try({
          try: () =>
            uploads.map(({ key, maximumBytes, mimeType, sizeBytes }) => ({
              path: addressOf(base, organisationId, key),
              token: sign(secret, "PUT", key, {
                type: mimeType,
                length: sizeBytes,
                maximum: maximumBytes,
                ...instantsOf(validity)
              }),
              headers: { "Content-Type": mimeType }
            })),
          catch: (cause) => storageError("DocumentStorage.signUploads", cause)
        })
      ),

    signDownload: (organisationId, { filename, key, mimeType }, validity) =>
      Effect.flatMap(publicUrl, (base) =>
        Effect.try({
          try: () => {
            const terms = { type: mimeType, filename, ...instantsOf(validity) }
            return `${addressOf(base, organisationId, key)}?${sign(secret, "GET", key, terms)}`
          },
          catch: (cause) => storageError("DocumentStorage.signDownload", cause)
        })
      ),

    inspect: (organisationId, key) =>
      Option.match(ownParts(organisationId, key), {
        onNone: () => Effect.succeedNone,
        onSome: (parts) => attemptBounded("DocumentStorage.inspect", () => inspectIn(folder, parts))
      }),

    delete: (organisationId, keys) => {
      const parts = keys.flatMap((key) => Option.toArray(ownParts(organisationId, key)))
      return attemptBounded("DocumentStorage.delete", (signal) => removeAll(folder, parts, signal))
    },

    findUploading: (organisationId, keys) => {
      const parts = keys.flatMap((key) => Option.toArray(ownParts(organisationId, key)))
      return Effect.flatMap(Clock.currentTimeMillis, (now) =>
        attemptBounded("DocumentStorage.findUploading", async () => {
          const found = await findIncoming(folder, parts, now - Duration.toMillis(abandonedAfter))
          return new Set(found.map(storageKey))
        })
      )
    },

    list: (organisationId, page) => attemptBounded("DocumentStorage.list", () => listPage(folder, organisationId, page))
  })
}
