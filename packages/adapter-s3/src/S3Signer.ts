/**
 * Signs addresses as `getSignedUrl` does, byte by byte, without a command, its
 * middleware and a presigner for each. Where the bucket lies and who signs is
 * what the SDK says.
 */
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3"
import { getSignedUrl } from "@aws-sdk/s3-request-presigner"
import type { StorageError, StorageKey, Validity } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import type { S3BucketOptions } from "./S3Options.ts"
import { signing, signingKeys } from "./SignatureV4.ts"

/**
 * A request whose address is wanted. All headers are signed and must be sent.
 *
 * @category models
 * @since 0.1.0
 */
export interface S3Presignable {
  readonly method: "GET" | "PUT"
  readonly key: StorageKey
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

/**
 * What lies before the `?` of an address, and after it.
 *
 * @category models
 * @since 0.1.0
 */
export interface S3Address {
  readonly path: string
  readonly token: string
}

/**
 * Signs addresses of a bucket.
 *
 * @category models
 * @since 0.1.0
 */
export interface S3Signer {
  /** Signs a batch with one signing date; answers in its order. Asks no store. */
  readonly sign: (
    operation: string,
    requests: ReadonlyArray<S3Presignable>,
    validity: Validity
  ) => Effect.Effect<ReadonlyArray<S3Address>, StorageError>
}

/** Where a bucket lies and how its requests are signed. */
interface Origin {
  readonly region: string
  readonly service: string
  readonly url: string
  readonly host: string
  readonly folder: string
}

type Within = <A>(operation: string, ask: (signal: AbortSignal) => Promise<A>) => Effect.Effect<A, StorageError>

const probe = "key"

/**
 * The SDK knows the rules by which bucket, region and endpoint become an address;
 * one address of its making shows them.
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

export const makeSigner = (client: S3Client, options: S3BucketOptions, within: Within): S3Signer => {
  const keyOf = signingKeys()
  let found: Origin | undefined

  const signAll = async (requests: ReadonlyArray<S3Presignable>, validity: Validity) => {
    found ??= await findOrigin(client, options)
    const { folder, url, ...scope } = found
    const credentials = await client.config.credentials()
    const lifeMillis = validity.until.epochMilliseconds - validity.from.epochMilliseconds
    // S3 counts whole seconds from the second in which it was signed: an address lapses up to a second before its
    // validity ends, and never after.
    const expiresIn = Math.floor(lifeMillis / 1_000)
    const queryOf = signing({ ...scope, credentials, signingDate: DateTime.toDate(validity.from), expiresIn }, keyOf)
    return requests.map(({ headers, key, method, query }): S3Address => {
      const path = `${folder}${key}`
      return { path: `${url}${path}`, token: queryOf({ method, path, headers, query }) }
    })
  }

  return {
    sign: (operation, requests, validity) =>
      requests.length === 0 ? Effect.succeed([]) : within(operation, () => signAll(requests, validity))
  }
}
