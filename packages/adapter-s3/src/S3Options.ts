/** Options of the S3 adapter. */
import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3"
import { type Secret, secretText } from "@solar-sites/core/options"
import { Duration } from "effect"

/** Options beside a client of the host. */
export interface S3BucketOptions {
  readonly bucket: string
  /**
   * Signs `If-None-Match: *` into upload addresses, so that a second PUT never replaces the
   * first. Default: true. Use false only for a store that refuses the header.
   */
  readonly singleUse?: boolean
  /** Endpoint of upload and download addresses, when clients reach the store under another one. */
  readonly publicEndpoint?: string
  /** Time limit of one request to the store, with its repetition. Default: 1.5 s. */
  readonly timeout?: Duration.Input
}

/** Keys as text or `Redacted`. */
export interface S3Keys {
  readonly accessKeyId: Secret
  readonly secretAccessKey: Secret
  readonly sessionToken?: Secret
}

/** Options of a client that the layer opens. */
export interface S3LayerOptions extends S3BucketOptions {
  /** Default: AWS. */
  readonly endpoint?: string
  /** Default: the AWS chain; `us-east-1` with an endpoint. */
  readonly region?: string
  /** Puts the bucket into the path instead of the host name. Default: true with an endpoint. */
  readonly forcePathStyle?: boolean
  /** Default: the AWS chain. */
  readonly credentials?: S3Keys | NonNullable<S3ClientConfig["credentials"]>
  /** Time limit of a connection attempt. Default: 400 ms. */
  readonly connectTimeout?: Duration.Input
  /** Time limit of one attempt before it is repeated. Default: 700 ms. */
  readonly attemptTimeout?: Duration.Input
}

const defaultTimeout: Duration.Input = "1500 millis"

export const timeoutOf = (options: S3BucketOptions): Duration.Duration =>
  Duration.fromInputUnsafe(options.timeout ?? defaultTimeout)

const credentialsOf = (
  given: NonNullable<S3LayerOptions["credentials"]>
): NonNullable<S3ClientConfig["credentials"]> => {
  if (typeof given === "function") return given
  const { accessKeyId, secretAccessKey, sessionToken, ...rest } = given
  return {
    ...rest,
    accessKeyId: secretText(accessKeyId),
    secretAccessKey: secretText(secretAccessKey),
    ...(sessionToken === undefined ? {} : { sessionToken: secretText(sessionToken) })
  }
}

export const openClient = (options: S3LayerOptions): S3Client => {
  const { credentials, endpoint } = options
  const region = options.region ?? (endpoint === undefined ? undefined : "us-east-1")
  return new S3Client({
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(credentials === undefined ? {} : { credentials: credentialsOf(credentials) }),
    forcePathStyle: options.forcePathStyle ?? endpoint !== undefined,
    // Compatible stores refuse checksums that are not required.
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
