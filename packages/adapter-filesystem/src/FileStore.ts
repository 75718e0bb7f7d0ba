/**
 * The folder for hosts without Effect: storage for their adapters, and a function
 * from a request to its answer that serves it.
 *
 * @since 0.1.0
 */
import type { DocumentStorage } from "@solar-sites/core"
import { Effect, Layer, ManagedRuntime } from "effect"
import { type FilesystemOptions, layer } from "./Filesystem.ts"
import { StorageServer, toWebHandler } from "./serving/StorageServer.ts"

/**
 * `prefix` is where the host has mounted it (such as `/solar`), and has to end
 * `publicUrl` too. `onStored` is told the path of every file that has arrived,
 * for the `objectArrived` of the rules; it may fail, the file is there all the same.
 *
 * @category models
 * @since 0.1.0
 */
export interface FileStoreOptions extends FilesystemOptions {
  readonly prefix?: string
  readonly onStored?: (path: string) => PromiseLike<unknown>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface FileStore extends AsyncDisposable {
  /** The storage, for as long as the store is not disposed. */
  readonly layer: Layer.Layer<DocumentStorage, unknown>

  /** Answers requests for paths under `/storage`. Rejects when the folder cannot be used. */
  readonly handler: (request: Request) => Promise<Response>

  readonly dispose: () => Promise<void>
}

/**
 * Opens the folder, making it where it is missing.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFileStore = ({ onStored, prefix = "", ...options }: FileStoreOptions): FileStore => {
  const runtime = ManagedRuntime.make(layer(options))
  const handling = runtime.runPromise(StorageServer).then((server) =>
    toWebHandler(server, {
      prefix,
      onStored: (path) => (onStored === undefined ? Effect.void : Effect.tryPromise(async () => onStored(path)))
    })
  )
  // Whoever sends a request is told.
  handling.catch(() => {})
  return {
    layer: Layer.effectContext(Effect.suspend(() => runtime.contextEffect)),
    handler: async (request) => (await handling)(request),
    dispose: runtime.dispose,
    [Symbol.asyncDispose]: runtime.dispose
  }
}
