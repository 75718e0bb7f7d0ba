/**
 * The storage of the settings: a bucket when one is named, otherwise a folder
 * below `DATA_DIR` that the server serves itself.
 *
 * @since 0.1.0
 */
import type { DocumentStorage } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import type { Settings } from "../configuration/Settings.ts"
import type { Failure } from "../Failure.ts"
import * as FolderStorage from "./FolderStorage.ts"

/**
 * A folder brings a `StorageServer` along, which is to be served at `publicUrl`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  { dataDirectory, s3, uploads }: Pick<Settings, "dataDirectory" | "s3" | "uploads">,
  publicUrl: Effect.Effect<string>
): Layer.Layer<DocumentStorage, Failure> =>
  Option.match(s3.bucket, {
    onNone: () => FolderStorage.layer({ dataDirectory, publicUrl, uploads }),
    // The SDK takes its time to load, and a folder does not need it.
    onSome: (bucket) =>
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./S3Storage.ts")),
          (S3Storage) => S3Storage.layer(bucket, s3)
        )
      )
  })
