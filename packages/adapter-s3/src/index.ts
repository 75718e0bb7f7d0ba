/** Document storage of Solar Sites in S3 and compatible stores. */
export { S3Bucket } from "./S3Bucket.ts"
export { check, promises, type S3Finding } from "./S3Check.ts"
export { layerStorage } from "./S3DocumentStorage.ts"
export { layer, layerConfig, layerFrom } from "./S3Layers.ts"
export type { S3BucketOptions, S3Keys, S3LayerOptions } from "./S3Options.ts"
export type { S3Address, S3Presignable, S3Signer } from "./S3Signer.ts"
