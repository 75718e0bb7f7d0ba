/**
 * The folder for hosts without Effect: storage for their adapters, and what
 * serves it.
 *
 * @since 0.1.0
 */
import type { DocumentStorage } from "@solar-sites/core"
import { Context, Effect, Layer, ManagedRuntime } from "effect"
import { HttpEffect } from "effect/http"
import { layer } from "./Filesystem.ts"
import type { FilesystemOptions } from "./FilesystemOptions.ts"
import { type ServingOptions, type StorageApp, StorageServer } from "./serving/StorageServer.ts"

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
  readonly layer: Layer.Layer<DocumentStorage | StorageServer, unknown>

  /** Serves paths under `/storage`: the option `storage` of `@solar-sites/http-node`. */
  readonly app: (serving?: Pick<ServingOptions, "beforeReading">) => StorageApp

  /** The same as a fetch handler. */
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
  const context = Effect.suspend(() => runtime.contextEffect)
  const told = (path: string) => Effect.tryPromise(async () => onStored?.(path))
  const app: FileStore["app"] = (serving) =>
    Effect.flatMap(Effect.orDie(context), (built) =>
      Context.get(built, StorageServer).app({ ...serving, prefix, onStored: told })
    )
  return {
    layer: Layer.effectContext(context),
    app,
    handler: HttpEffect.toWebHandler(app()),
    dispose: runtime.dispose,
    [Symbol.asyncDispose]: runtime.dispose
  }
}
