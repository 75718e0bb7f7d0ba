/**
 * Access to the bucket: client, signer, and requests with a timeout and one error
 * type.
 */
import type { S3Client } from "@aws-sdk/client-s3"
import { StorageError } from "@solar-sites/core"
import { Context, Duration, Effect, Layer } from "effect"
import { checkBucketOptions, checkLayerOptions, checkRegion } from "./S3OptionCheck.ts"
import { openClient, type S3BucketOptions, type S3LayerOptions, timeoutOf } from "./S3Options.ts"
import { makeSigner, type S3Signer } from "./S3Signer.ts"

/** Options for `client.send`. */
interface SendOptions {
  readonly abortSignal: AbortSignal
}

export class S3Bucket extends Context.Service<
  S3Bucket,
  {
    readonly bucket: string
    readonly singleUse: boolean
    readonly timeout: Duration.Duration
    readonly signer: S3Signer

    /**
     * Sends a request for the port method `operation`. Ends within `timeout`.
     * Every failure is `unavailable`, with the error of the SDK as its cause.
     */
    readonly request: <A>(
      operation: string,
      send: (client: S3Client, options: SendOptions) => Promise<A>
    ) => Effect.Effect<A, StorageError>
  }
>()("@solar-sites/adapter-s3/S3Bucket") {
  /**
   * Opens a client and closes it with the scope. Sends no request. Throws a
   * `TypeError` for a wrong option; dies with one when no region is known.
   */
  static readonly layer = (options: S3LayerOptions): Layer.Layer<S3Bucket> => {
    checkLayerOptions(options)
    return Layer.effect(
      S3Bucket,
      Effect.acquireRelease(
        Effect.sync(() => openClient(options)),
        (client) => Effect.sync(() => client.destroy())
      ).pipe(
        Effect.tap(checkRegion),
        Effect.map((client) => make(client, options))
      )
    )
  }

  /**
   * Uses a client of the host and never closes it. The client should have
   * `requestChecksumCalculation: "WHEN_REQUIRED"` and few attempts with short
   * timeouts; `timeout` limits a request in any case.
   */
  static readonly layerFrom = (client: S3Client, options: S3BucketOptions): Layer.Layer<S3Bucket> => {
    checkBucketOptions(options)
    return Layer.sync(S3Bucket, () => make(client, options))
  }
}

const make = (client: S3Client, options: S3BucketOptions): S3Bucket["Service"] => {
  const { bucket, singleUse = true } = options
  const timeout = timeoutOf(options)

  const withTimeout = <A>(
    operation: string,
    send: (signal: AbortSignal) => Promise<A>
  ): Effect.Effect<A, StorageError> =>
    Effect.tryPromise({ try: send, catch: (cause) => cause }).pipe(
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
    signer: makeSigner(client, options, withTimeout),
    request: (operation, send) => withTimeout(operation, (abortSignal) => send(client, { abortSignal }))
  })
}
