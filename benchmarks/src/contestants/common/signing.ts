/**
 * Upload addresses in S3, signed as the documentation of the SDK shows: one command per address.
 */
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3"
import { getSignedUrl } from "@aws-sdk/s3-request-presigner"
import { settings } from "./settings.ts"

interface Signable {
  readonly key: string
  readonly mimeType: string
  readonly sizeBytes: number | null
}

interface Address {
  readonly path: string
  readonly token: string
}

/** Signs a batch with one date; results are in its order. */
export type Sign = (uploads: ReadonlyArray<Signable>, signingDate: Date) => Promise<ReadonlyArray<Address>>

const { bucket, credentials, endpoint, region } = settings.s3
const client = new S3Client({
  endpoint,
  region,
  credentials,
  forcePathStyle: true,
  requestChecksumCalculation: "WHEN_REQUIRED"
})

/** Valid for 60 seconds, one upload, this type and length. */
export const sign: Sign = (uploads, signingDate) =>
  Promise.all(
    uploads.map(async ({ key, mimeType, sizeBytes }) => {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        ContentType: mimeType,
        IfNoneMatch: "*",
        ...(sizeBytes === null ? {} : { ContentLength: sizeBytes })
      })
      const signableHeaders = new Set(["content-type"])
      const url = await getSignedUrl(client, command, { expiresIn: 60, signingDate, signableHeaders })
      const [path = "", token = ""] = url.split("?")
      return { path, token }
    })
  )
