/**
 * Keeps everything of `@solar-sites/core` in an embedded Postgres, for one
 * process and without a server.
 *
 * @since 0.1.0
 */
export { FolderLocked, FolderUnusable } from "./FolderLock.ts"
export type { PgliteBackend } from "./PgliteBridge.ts"
export { layer, layerConfig, layerFrom, type PgliteOptions } from "./PgliteClient.ts"
