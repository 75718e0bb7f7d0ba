/** The configured storage: a bucket, else the folder `files` below `DATA_DIR`. */
import { join } from "node:path"
import * as Filesystem from "@solar-sites/adapter-filesystem"
import type { DocumentStorage, StorageError } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import type { Settings } from "../configuration/Settings.ts"
import { Failure, messageOf } from "../Failure.ts"
import { folderRemedy } from "../FolderRemedy.ts"

type StorageSettings = Pick<Settings, "dataDirectory" | "s3" | "uploads">

const messageFor = (directory: string, { cause }: StorageError): string => {
  const reason = messageOf(cause).replace(/\.$/, "")
  return `The folder ${directory} cannot hold files: ${reason}. ${folderRemedy(reason)}`
}

const folder = (
  { dataDirectory, uploads }: StorageSettings,
  publicUrl: Effect.Effect<string>
): Layer.Layer<DocumentStorage, Failure> => {
  const directory = join(dataDirectory, "files")
  const maximumFileBytes = Math.max(uploads.maximumFileBytes, uploads.maximumCoverBytes)
  return Filesystem.layer({ directory, publicUrl, maximumFileBytes }).pipe(
    Layer.catch((error) => Layer.effectContext(Effect.fail(new Failure({ message: messageFor(directory, error) }))))
  )
}

/** A folder also provides a `StorageServer`, which must be served at `publicUrl`. */
export const layer = (
  settings: StorageSettings,
  publicUrl: Effect.Effect<string>
): Layer.Layer<DocumentStorage, Failure> =>
  Option.match(settings.s3.bucket, {
    onNone: () => folder(settings, publicUrl),
    // Loaded on demand: the SDK delays the start.
    onSome: (bucket) =>
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./S3Storage.ts")),
          (S3Storage) => S3Storage.layer(bucket, settings.s3)
        )
      )
  })
