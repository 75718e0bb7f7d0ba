/**
 * `DocumentStorage` in a bucket, ready to be plugged in.
 *
 * @since 0.1.0
 */
import type { S3Client } from "@aws-sdk/client-s3"
import type { DocumentStorage } from "@solar-sites/core"
import { type Config, Effect, Layer } from "effect"
import { S3Bucket } from "./S3Bucket.ts"
import { fromEnvironment } from "./S3Config.ts"
import { layerStorage } from "./S3DocumentStorage.ts"
import type { S3BucketOptions, S3LayerOptions } from "./S3Options.ts"

/**
 * Opens a client, and closes it with the scope. The bucket comes with the port,
 * for `check`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: S3LayerOptions): Layer.Layer<DocumentStorage | S3Bucket> =>
  Layer.provideMerge(layerStorage, S3Bucket.layer(options))

/**
 * Uses a client that the host has opened and will close.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFrom = (client: S3Client, options: S3BucketOptions): Layer.Layer<DocumentStorage | S3Bucket> =>
  Layer.provideMerge(layerStorage, S3Bucket.layerFrom(client, options))

/**
 * As `layer`, with the settings of the environment: `S3_BUCKET`, `S3_ENDPOINT`,
 * `S3_REGION`, `S3_FORCE_PATH_STYLE`, `S3_SINGLE_USE` (specification, section 9).
 *
 * @category layers
 * @since 0.1.0
 */
export const layerConfig: Layer.Layer<DocumentStorage | S3Bucket, Config.ConfigError> = Layer.unwrap(
  Effect.gen(function* () {
    return layer(yield* fromEnvironment)
  })
)
