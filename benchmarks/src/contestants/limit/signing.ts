/**
 * Upload addresses by one presigner on plain requests: the same bytes as one command each, several
 * times as fast.
 */
import { S3Client } from "@aws-sdk/client-s3"
import { S3RequestPresigner } from "@aws-sdk/s3-request-presigner"
import { settings } from "../common/settings.ts"
import type { Sign } from "../common/signing.ts"

const { bucket, credentials, endpoint, region } = settings.s3
const { sha256 } = new S3Client({ region, credentials }).config
const presigner = new S3RequestPresigner({ credentials, region, sha256 })
const { host: authority, hostname, port, protocol } = new URL(endpoint)
const origin = `${protocol}//${authority}`
const signableHeaders = new Set(["content-type"])

const formatQuery = (query: Readonly<Record<string, string | ReadonlyArray<string> | null>> = {}): string =>
  Object.keys(query)
    .sort()
    .map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(String(query[name] ?? ""))}`)
    .join("&")

export const sign: Sign = (uploads, signingDate) =>
  Promise.all(
    uploads.map(async ({ key, mimeType, sizeBytes }) => {
      const path = `/${bucket}/${key}`
      const length = sizeBytes === null ? {} : { "content-length": String(sizeBytes) }
      const headers = { host: authority, "content-type": mimeType, "if-none-match": "*", ...length }
      const request = {
        method: "PUT",
        protocol,
        hostname,
        port: Number(port),
        path,
        headers,
        query: { "x-id": "PutObject" }
      }
      const { query } = await presigner.presign(request, { signingDate, expiresIn: 60, signableHeaders })
      return { path: `${origin}${path}`, token: formatQuery(query) }
    })
  )
