/**
 * The way to the bucket that all of this package shares: a client, a signer, and
 * one place where requests get their time limit and the meaning of their
 * failures.
 *
 * @since 0.1.0
 */
import type { S3Client } from "@aws-sdk/client-s3"
import { StorageError } from "@solar-sites/core"
import { Context, Duration, Effect, Layer } from "effect"
import { checkBucketOptions, checkLayerOptions, checkRegion } from "./S3OptionCheck.ts"
import { openClient, type S3BucketOptions, type S3LayerOptions, timeoutOf } from "./S3Options.ts"
import { makeSigner, type S3Signer } from "./S3Signer.ts"

/** How the store is asked: to be handed on to `client.send`. */
interface SendOptions {
  readonly abortSignal: AbortSignal
}

/**
 * @category services
 * @since 0.1.0
 */
export class S3Bucket extends Context.Service<
  S3Bucket,
  {
    readonly bucket: string
    readonly singleUse: boolean
    readonly timeout: Duration.Duration
    readonly signer: S3Signer

    /**
     * Asks the store on behalf of the port method named by `operation`. Ends
     * within the time limit whatever the store does; every failure is
     * `unavailable`, with the SDK's own as its cause.
     */
    readonly request: <A>(
      operation: string,
      send: (client: S3Client, options: SendOptions) => Promise<A>
    ) => Effect.Effect<A, StorageError>
  }
>()("@solar-sites/adapter-s3/S3Bucket") {
  /**
   * Opens a client and closes it with the scope. Asks the store nothing yet; dies
   * of options that no store could be reached with.
   */
  static readonly layer = (options: S3LayerOptions): Layer.Layer<S3Bucket> =>
    Layer.effect(
      S3Bucket,
      Effect.acquireRelease(
        Effect.sync(() => {
          checkLayerOptions(options)
          return openClient(options)
        }),
        (client) => Effect.sync(() => client.destroy())
      ).pipe(
        Effect.tap(checkRegion),
        Effect.map((client) => make(client, options))
      )
    )

  /**
   * Uses a client of the host's and never closes it. Give it
   * `requestChecksumCalculation: "WHEN_REQUIRED"`, and few attempts with short
   * timeouts: the time limit here holds in any case.
   */
  static readonly layerFrom = (client: S3Client, options: S3BucketOptions): Layer.Layer<S3Bucket> =>
    Layer.sync(S3Bucket, () => {
      checkBucketOptions(options)
      return make(client, options)
    })
}

const make = (client: S3Client, options: S3BucketOptions): S3Bucket["Service"] => {
  const { bucket, singleUse = true } = options
  const timeout = timeoutOf(options)

  const within = <A>(operation: string, ask: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, StorageError> =>
    Effect.tryPromise({ try: ask, catch: (cause) => cause }).pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => Effect.fail(new Error(`the store did not answer within ${Duration.toMillis(timeout)} ms`))
      }),
      Effect.mapError((cause) => new StorageError({ operation, reason: "unavailable", cause }))
    )

  return S3Bucket.of({
    bucket,
    singleUse,
    timeout,
    signer: makeSigner(client, options, within),
    request: (operation, send) => within(operation, (abortSignal) => send(client, { abortSignal }))
  })
}
