/** Layers of the S3 adapter: `DocumentStorage` in a bucket. */
import type { S3Client } from "@aws-sdk/client-s3"
import type { DocumentStorage } from "@solar-sites/core"
import { Config, Effect, Layer } from "effect"
import { S3Bucket } from "./S3Bucket.ts"
import { layerStorage } from "./S3DocumentStorage.ts"
import type { S3BucketOptions, S3LayerOptions } from "./S3Options.ts"
import { optionsOf, settings } from "./S3Settings.ts"

/**
 * Opens a client and closes it with the scope. Provides the port, and the bucket for
 * `check`. Throws a `TypeError` for a wrong option.
 */
export const layer = (options: S3LayerOptions): Layer.Layer<DocumentStorage | S3Bucket> =>
  Layer.provideMerge(layerStorage, S3Bucket.layer(options))

/** Uses a client of the host and never closes it. */
export const layerFrom = (client: S3Client, options: S3BucketOptions): Layer.Layer<DocumentStorage | S3Bucket> =>
  Layer.provideMerge(layerStorage, S3Bucket.layerFrom(client, options))

/** As `layer`, with the `settings` of the environment (specification, section 9). */
export const layerConfig: Layer.Layer<DocumentStorage | S3Bucket, Config.ConfigError> = Layer.unwrap(
  Effect.gen(function* () {
    return layer(optionsOf(yield* Config.all(settings)))
  })
)
