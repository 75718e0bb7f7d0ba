/**
 * Layers of the folder: the `DocumentStorage` that signs addresses and the `StorageServer` that
 * serves them, over the same files and the same secret.
 */
import { join, resolve } from "node:path"
import { DocumentStorage, RandomBytes, type StorageError } from "@solar-sites/core"
import { Clock, Config, Context, Duration, Effect, Layer } from "effect"
import { attemptBounded } from "./FileFailure.ts"
import { makeDocumentStorage } from "./FilesystemDocumentStorage.ts"
import { type CheckedOptions, checkOptions, type FilesystemOptions } from "./FilesystemOptions.ts"
import { settings } from "./FilesystemSettings.ts"
import { openFolder } from "./Folder.ts"
import { secretIn } from "./Secret.ts"
import { makeStorageServer, StorageServer } from "./serving/StorageServer.ts"

// No upload in progress is silent for this long.
const leftoverAge = Duration.hours(1)

const operation = "DocumentStorage.layer"

const open = Effect.fnUntraced(function* (options: CheckedOptions) {
  const directory = resolve(options.directory)
  const randomBytes = yield* RandomBytes
  const now = yield* Clock.currentTimeMillis
  const folder = yield* attemptBounded(operation, () =>
    openFolder(directory, {
      leftoversBefore: now - Duration.toMillis(leftoverAge),
      nextName: () => Buffer.from(randomBytes(16)).toString("hex")
    })
  )
  const secret = options.secret ?? (yield* attemptBounded(operation, () => secretIn(directory, folder, randomBytes)))
  return { folder, secret }
})

/**
 * Opens the folder, and creates it if missing. Several processes may share one folder. Throws a
 * `TypeError` for a wrong option; fails when the folder cannot be used.
 */
export const layer = (options: FilesystemOptions): Layer.Layer<DocumentStorage | StorageServer, StorageError> => {
  const checked = checkOptions(options)
  return Layer.effectContext(
    Effect.gen(function* () {
      const { folder, secret } = yield* open(checked)
      const { maximumFileBytes, publicUrl } = checked
      const scope = yield* Effect.scope
      return Context.make(DocumentStorage, makeDocumentStorage({ folder, secret, publicUrl })).pipe(
        Context.add(StorageServer, makeStorageServer({ folder, secret, maximumFileBytes, scope }))
      )
    })
  )
}

/** Uses a file store of the host and never disposes it. */
export const layerFrom = (store: {
  readonly layer: Layer.Layer<DocumentStorage | StorageServer, unknown>
}): Layer.Layer<DocumentStorage | StorageServer, unknown> => store.layer

/**
 * As `layer`, in `files` below `DATA_DIR`, with the `settings` of the environment
 * (specification, section 9).
 */
export const layerConfig: Layer.Layer<DocumentStorage | StorageServer, StorageError | Config.ConfigError> =
  Layer.unwrap(
    Effect.gen(function* () {
      const { dataDirectory, publicUrl } = yield* Config.all(settings)
      return layer({ directory: join(dataDirectory, "files"), publicUrl })
    })
  )
