/**
 * The storage that needs no other service: the folder `files` below `DATA_DIR`.
 *
 * @since 0.1.0
 */
import { join } from "node:path"
import * as Filesystem from "@solar-sites/adapter-filesystem"
import type { DocumentStorage, StorageError, UploadPolicySettings } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { Failure } from "../Failure.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface FolderStorageOptions {
  readonly dataDirectory: string
  readonly publicUrl: Effect.Effect<string>
  readonly uploads: UploadPolicySettings
}

const messageFor = (directory: string, { cause }: StorageError): string =>
  `The folder ${directory} cannot hold files: ${(cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "")}.`

/**
 * Opens the folder, and makes it first if need be.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = ({
  dataDirectory,
  publicUrl,
  uploads
}: FolderStorageOptions): Layer.Layer<DocumentStorage | Filesystem.StorageServer, Failure> => {
  const directory = join(dataDirectory, "files")
  const maximumFileBytes = Math.max(uploads.maximumFileBytes, uploads.maximumCoverBytes)
  return Filesystem.layer({ directory, publicUrl, maximumFileBytes }).pipe(
    Layer.catch((error) => Layer.effectContext(Effect.fail(new Failure({ message: messageFor(directory, error) }))))
  )
}
