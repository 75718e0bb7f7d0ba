/**
 * Document storage of Solar Sites in a folder, with signed addresses that this
 * package serves.
 */
export { type FileStore, makeFileStore } from "./FileStore.ts"
export { layer, layerConfig, layerFrom } from "./Filesystem.ts"
export type { FilesystemOptions } from "./FilesystemOptions.ts"
export type { StorageRefused } from "./serving/Refused.ts"
export { type ServingOptions, type StorageApp, StorageServer } from "./serving/StorageServer.ts"
