/** Deletes many objects in one request, in a form that AWS and all compatible stores accept. */
import { DeleteObjectsCommand, type S3Client } from "@aws-sdk/client-s3"
import type { StorageKey } from "@solar-sites/core"

// S3 accepts 1,000 keys, but the response must arrive within the timeout.
export const batchSize = 250

/**
 * The body has `Content-MD5`, which AWS, Ceph, R2 and B2 accept. The SDK's default,
 * CRC32, is refused by older Ceph, and its checksum headers by B2.
 */
export const deleteBatch = async (
  client: S3Client,
  bucket: string,
  keys: ReadonlyArray<StorageKey>,
  options: { readonly abortSignal: AbortSignal }
): Promise<void> => {
  const command = new DeleteObjectsCommand({
    Bucket: bucket,
    Delete: { Quiet: true, Objects: keys.map((Key) => ({ Key })) },
    ChecksumAlgorithm: "MD5"
  })
  command.middlewareStack.add(
    (next) => (args) => {
      const headers: unknown = Reflect.get(Object(args.request), "headers")
      if (typeof headers === "object" && headers !== null)
        Reflect.deleteProperty(headers, "x-amz-sdk-checksum-algorithm")
      return next(args)
    },
    { step: "build", priority: "low", name: "solarSitesContentMd5Alone" }
  )
  // No timeout per attempt: a batch takes longer than other requests. The timeout of the whole
  // stays.
  const { Errors = [] } = await client.send(command, { ...options, requestTimeout: 0 })
  const failed = Errors.filter(({ Code }) => Code !== "NoSuchKey")
  if (failed.length > 0) {
    const codes = [...new Set(failed.map(({ Code = "unknown" }) => Code))].join(", ")
    throw new Error(`${failed.length} of ${keys.length} objects were not deleted: ${codes}`)
  }
}
