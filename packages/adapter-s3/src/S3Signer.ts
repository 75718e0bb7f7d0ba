/**
 * Signs addresses by one cached presigner on plain request objects: what
 * `getSignedUrl` does, byte by byte, without building a command and its
 * middleware for each address.
 */
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3"
import { getSignedUrl, S3RequestPresigner } from "@aws-sdk/s3-request-presigner"
import type { StorageError, StorageKey, Validity } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import type { S3BucketOptions } from "./S3Options.ts"

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

/** Where a bucket lies and by whom its requests are signed. */
interface Origin {
  readonly presigner: S3RequestPresigner
  readonly target: { readonly protocol: string; readonly hostname: string; readonly port?: number }
  readonly folder: string
}

type Within = <A>(operation: string, ask: (signal: AbortSignal) => Promise<A>) => Effect.Effect<A, StorageError>

const probe = "key"

// The SDK leaves it unsigned unless told; everything else that is present is signed anyway.
const signableHeaders = new Set(["content-type"])

const escapeCharacter = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

const encodePart = (text: string): string => encodeURIComponent(text).replace(/[!'()*]/g, escapeCharacter)

const formatQuery = (query: Readonly<Record<string, string | ReadonlyArray<string> | null>> = {}): string =>
  Object.keys(query)
    .sort()
    .map((name) => `${encodePart(name)}=${encodePart(String(query[name] ?? ""))}`)
    .join("&")

/**
 * The SDK knows the rules by which bucket, region and endpoint become an address;
 * one address of its making shows them.
 */
const findOrigin = async (client: S3Client, { bucket, publicEndpoint }: S3BucketOptions): Promise<Origin> => {
  const { credentials, forcePathStyle, region, sha256 } = client.config
  const addressing =
    publicEndpoint === undefined
      ? client
      : new S3Client({ credentials, forcePathStyle: forcePathStyle ?? false, region, endpoint: publicEndpoint })
  const url = new URL(await getSignedUrl(addressing, new GetObjectCommand({ Bucket: bucket, Key: probe })))
  if (addressing !== client) addressing.destroy()
  const [, , signingRegion = "", signingName = "s3"] = (url.searchParams.get("X-Amz-Credential") ?? "").split("/")
  return {
    presigner: new S3RequestPresigner({ credentials, sha256, region: signingRegion, signingName }),
    target: {
      protocol: url.protocol,
      hostname: url.hostname,
      ...(url.port === "" ? {} : { port: Number(url.port) })
    },
    folder: url.pathname.slice(0, -probe.length)
  }
}

export const makeSigner = (client: S3Client, options: S3BucketOptions, within: Within): S3Signer => {
  let found: Origin | undefined

  const signAll = async (requests: ReadonlyArray<S3Presignable>, validity: Validity) => {
    found ??= await findOrigin(client, options)
    const { folder, presigner, target } = found
    const signingDate = DateTime.toDate(validity.from)
    const lifeMillis = validity.until.epochMilliseconds - validity.from.epochMilliseconds
    // S3 counts whole seconds from the second in which it was signed: an address lapses up to a second before its
    // validity ends, and never after.
    const expiresIn = Math.floor(lifeMillis / 1_000)
    const origin = `${target.protocol}//${target.hostname}${target.port === undefined ? "" : `:${target.port}`}`
    return Promise.all(
      requests.map(async ({ headers, key, method, query }): Promise<S3Address> => {
        const path = `${folder}${key}`
        const request = { ...target, method, path, headers: { ...headers }, query: { ...query } }
        const signed = await presigner.presign(request, { signingDate, expiresIn, signableHeaders })
        return { path: `${origin}${path}`, token: formatQuery(signed.query) }
      })
    )
  }

  return {
    sign: (operation, requests, validity) =>
      requests.length === 0 ? Effect.succeed([]) : within(operation, () => signAll(requests, validity))
  }
}
