/**
 * Signs addresses, byte for byte as `getSignedUrl` does. Origin, region and
 * credentials come from the SDK; the signature is computed here (decision 11).
 */
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3"
import { getSignedUrl } from "@aws-sdk/s3-request-presigner"
import type { StorageError, StorageKey, Validity } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import type { S3BucketOptions } from "./S3Options.ts"
import { signing, signingKeys } from "./SignatureV4.ts"

/** A request to sign. All headers are signed; the client must send them. */
export interface S3Presignable {
  readonly method: "GET" | "PUT"
  readonly key: StorageKey
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

/** A signed address: `path` is before the `?`, `token` after it. */
export interface S3Address {
  readonly path: string
  readonly token: string
}

/** Signs addresses of a bucket. */
export interface S3Signer {
  /**
   * Signs a batch with one signing date; succeeds in the order of the requests. Sends no request.
   */
  readonly sign: (
    operation: string,
    requests: ReadonlyArray<S3Presignable>,
    validity: Validity
  ) => Effect.Effect<ReadonlyArray<S3Address>, StorageError>
}

/** Address of the bucket, and the scope of its signatures. */
interface Origin {
  readonly region: string
  readonly service: string
  readonly url: string
  readonly host: string
  readonly folder: string
}

type WithTimeout = <A>(operation: string, send: (signal: AbortSignal) => Promise<A>) => Effect.Effect<A, StorageError>

const probe = "key"

/**
 * Takes the origin from an address that the SDK signs, since the SDK knows the rules of endpoints.
 */
const findOrigin = async (client: S3Client, { bucket, publicEndpoint }: S3BucketOptions): Promise<Origin> => {
  const { credentials, forcePathStyle, region } = client.config
  const addressing =
    publicEndpoint === undefined
      ? client
      : new S3Client({ credentials, forcePathStyle: forcePathStyle ?? false, region, endpoint: publicEndpoint })
  const url = new URL(await getSignedUrl(addressing, new GetObjectCommand({ Bucket: bucket, Key: probe })))
  if (addressing !== client) addressing.destroy()
  const [, , signingRegion = "", signingName = "s3"] = (url.searchParams.get("X-Amz-Credential") ?? "").split("/")
  return {
    region: signingRegion,
    service: signingName,
    url: url.origin,
    host: url.host,
    folder: url.pathname.slice(0, -probe.length)
  }
}

export const makeSigner = (client: S3Client, options: S3BucketOptions, withTimeout: WithTimeout): S3Signer => {
  const keyOf = signingKeys()
  let found: Origin | undefined

  const signAll = async (requests: ReadonlyArray<S3Presignable>, validity: Validity) => {
    found ??= await findOrigin(client, options)
    const { folder, url, ...scope } = found
    const credentials = await client.config.credentials()
    const lifeMillis = validity.until.epochMilliseconds - validity.from.epochMilliseconds
    // S3 counts whole seconds from the second of the signing date: an address expires up to one
    // second before the end of its validity, never after it.
    const expiresIn = Math.floor(lifeMillis / 1_000)
    const queryOf = signing({ ...scope, credentials, signingDate: DateTime.toDate(validity.from), expiresIn }, keyOf)
    return requests.map(({ headers, key, method, query }): S3Address => {
      const path = `${folder}${key}`
      return { path: `${url}${path}`, token: queryOf({ method, path, headers, query }) }
    })
  }

  return {
    sign: (operation, requests, validity) =>
      requests.length === 0 ? Effect.succeed([]) : withTimeout(operation, () => signAll(requests, validity))
  }
}
