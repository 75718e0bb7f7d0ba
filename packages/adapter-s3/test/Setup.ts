/**
 * Setup of the tests: buckets, keys, addresses.
 */
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3"
import { layer, type S3Bucket, type S3LayerOptions } from "@solar-sites/adapter-s3"
import {
  DocumentStorage,
  type OrganisationId,
  parseStorageKey,
  type SignedUpload,
  type StorageKey,
  storageKey,
  type UploadRequest,
  type Validity
} from "@solar-sites/core"
import { anOrganisationId } from "@solar-sites/testing"
import { DateTime, Effect, type Layer, Option } from "effect"
import { inject } from "vitest"
import type { S3Server } from "./CephRgw.ts"

const server = inject("s3Server")

export const withoutS3 = server === null

/** The server of this run; call it only where `withoutS3` is false. */
export const theServer = (): S3Server => {
  if (server === null) throw new Error("there is no S3 server in this run")
  return server
}

/** Long timeouts for tests that are not about time, so that they pass on a busy machine. */
export const patient = { timeout: "25 seconds", connectTimeout: "10 seconds", attemptTimeout: "10 seconds" } as const

export const optionsFor = (bucket: string): S3LayerOptions => {
  const { accessKeyId, endpoint, region, secretAccessKey } = theServer()
  return { bucket, endpoint, region, credentials: { accessKeyId, secretAccessKey }, ...patient }
}

/** A client of a host, for requests that the port does not have. */
export const aClient = (): S3Client => {
  const { accessKeyId, endpoint, region, secretAccessKey } = theServer()
  return new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED"
  })
}

/** Creates a bucket with a unique name. */
export const aBucket = async (): Promise<string> => {
  const client = aClient()
  const bucket = `tests-${anOrganisationId()}`
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
  return bucket
}

export const aKey = (organisationId: OrganisationId = anOrganisationId()): StorageKey =>
  storageKey({ organisationId, siteId: anOrganisationId(), documentId: anOrganisationId() })

export const ownerOf = (key: StorageKey): OrganisationId => Option.getOrThrow(parseStorageKey(key)).organisationId

export const anUpload = (overrides: Partial<UploadRequest> = {}): UploadRequest => ({
  key: aKey(),
  mimeType: "application/pdf",
  sizeBytes: null,
  maximumBytes: 1_048_576,
  ...overrides
})

/** 60 seconds, beginning `secondsAgo`. */
export const aMinute = (secondsAgo = 0): Validity => {
  const from = DateTime.subtract(DateTime.nowUnsafe(), { seconds: secondsAgo })
  return { from, until: DateTime.add(from, { seconds: 60 }) }
}

export type Ports = DocumentStorage | S3Bucket

export const runWith =
  (ports: Layer.Layer<Ports>) =>
  <A, E>(effect: Effect.Effect<A, E, Ports>): Promise<A> =>
    Effect.runPromise(Effect.provide(effect, ports))

/** Signs one upload in the organisation of its key. */
export const signOne = (upload: UploadRequest, validity: Validity = aMinute()) =>
  DocumentStorage.use((storage) => storage.signUploads(ownerOf(upload.key), [upload], validity)).pipe(
    Effect.flatMap(([signed]) => (signed === undefined ? Effect.die("nothing was signed") : Effect.succeed(signed)))
  )

export const urlOf = ({ path, token }: SignedUpload): string => `${path}?${token}`

/** Signs with made-up credentials, without a server. */
export const offline = (options: Partial<S3LayerOptions> = {}): Layer.Layer<Ports> =>
  layer({
    bucket: "solar-documents",
    region: "eu-central-1",
    credentials: { accessKeyId: "access", secretAccessKey: "secret" },
    ...options
  })
