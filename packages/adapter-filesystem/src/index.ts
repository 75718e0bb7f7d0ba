/**
 * Document storage of Solar Sites in a folder, with signed addresses that this
 * package serves.
 *
 * @since 0.1.0
 */
export { type FileStore, type FileStoreOptions, makeFileStore } from "./FileStore.ts"
export { layer, layerConfig, layerFrom } from "./Filesystem.ts"
export type { FilesystemOptions } from "./FilesystemOptions.ts"
export { routes, type ServingOptions, type StorageApp, StorageServer, toWebHandler } from "./serving/StorageServer.ts"
