/**
 * Keeps everything of `@solar-sites/core` in an embedded Postgres, for one
 * process and without a server.
 */
export { FolderLocked, FolderUnusable } from "./FolderLock.ts"
export type { PgliteBackend } from "./PgliteBridge.ts"
export { layer, layerConfig, layerFrom, type PgliteOptions } from "./PgliteClient.ts"
