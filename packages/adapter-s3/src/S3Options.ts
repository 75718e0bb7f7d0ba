/**
 * How the store is reached.
 *
 * @since 0.1.0
 */
import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3"
import { Duration } from "effect"

/**
 * What concerns a client that the host has opened itself.
 *
 * @category models
 * @since 0.1.0
 */
export interface S3BucketOptions {
  readonly bucket: string
  /**
   * Whether addresses carry a signed `If-None-Match: *` (default true), so that a
   * second PUT never replaces the first. Off only for stores that refuse the
   * header, at the price of that promise.
   */
  readonly singleUse?: boolean
  /** The store as clients reach it, where that is another host than the one the server talks to. */
  readonly publicEndpoint?: string
  /** How long one request to the store takes at most, its repetition included (default 1.5 s). */
  readonly timeout?: Duration.Input
}

/**
 * A client to be opened. Without `endpoint` it is AWS; `region` defaults to what
 * the AWS chain says, with an endpoint to `us-east-1`; `forcePathStyle` (the
 * bucket in the path, not in the host name) defaults to true with an endpoint;
 * `credentials` to the AWS chain.
 *
 * @category models
 * @since 0.1.0
 */
export interface S3LayerOptions extends S3BucketOptions {
  readonly endpoint?: string
  readonly region?: string
  readonly forcePathStyle?: boolean
  readonly credentials?: NonNullable<S3ClientConfig["credentials"]>
  /** How long a connection may take to stand (default 400 ms). */
  readonly connectTimeout?: Duration.Input
  /** How long one attempt waits for its answer before it is repeated (default 700 ms). */
  readonly attemptTimeout?: Duration.Input
}

const defaultTimeout: Duration.Input = "1500 millis"

export const timeoutOf = (options: S3BucketOptions): Duration.Duration =>
  Duration.fromInputUnsafe(options.timeout ?? defaultTimeout)

export const openClient = (options: S3LayerOptions): S3Client => {
  const { credentials, endpoint } = options
  const region = options.region ?? (endpoint === undefined ? undefined : "us-east-1")
  return new S3Client({
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(credentials === undefined ? {} : { credentials }),
    forcePathStyle: options.forcePathStyle ?? endpoint !== undefined,
    // Compatible stores refuse checksums that nobody asked for.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: Duration.toMillis(options.connectTimeout ?? "400 millis"),
      requestTimeout: Duration.toMillis(options.attemptTimeout ?? "700 millis"),
      throwOnRequestTimeout: true
    }
  })
}
