/**
 * The folder for hosts without Effect: a layer for their adapters, and the application that serves
 * it.
 */
import type { DocumentStorage } from "@solar-sites/core"
import { Context, Effect, Layer, ManagedRuntime } from "effect"
import { layer } from "./Filesystem.ts"
import type { FilesystemOptions } from "./FilesystemOptions.ts"
import { type ServingOptions, type StorageApp, StorageServer } from "./serving/StorageServer.ts"

export interface FileStore extends AsyncDisposable {
  /** The storage, until the store is disposed. */
  readonly layer: Layer.Layer<DocumentStorage | StorageServer, unknown>

  /** Serves paths under `/storage`: the option `storage` of `@solar-sites/http-node`. */
  readonly app: (serving?: ServingOptions) => StorageApp

  readonly dispose: () => Promise<void>
}

/** Opens the folder, and creates it if necessary. */
export const makeFileStore = (options: FilesystemOptions): FileStore => {
  const runtime = ManagedRuntime.make(layer(options))
  const context = Effect.suspend(() => runtime.contextEffect)
  return {
    layer: Layer.effectContext(context),
    app: (serving) => Effect.flatMap(Effect.orDie(context), (built) => Context.get(built, StorageServer).app(serving)),
    dispose: runtime.dispose,
    [Symbol.asyncDispose]: runtime.dispose
  }
}
