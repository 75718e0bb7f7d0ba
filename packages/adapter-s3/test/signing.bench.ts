/**
 * Prints what one signed upload address costs by our own hand and by
 * `getSignedUrl`, and what a batch of 20 costs, in turns within one run. From the
 * root of the repository:
 *
 *     npx -y pnpm@10 exec node --conditions=@solar-sites/source packages/adapter-s3/test/signing.bench.ts
 */
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3"
import { getSignedUrl } from "@aws-sdk/s3-request-presigner"
import { layer } from "@solar-sites/adapter-s3"
import {
  DocumentStorage,
  type OrganisationId,
  parseStorageKey,
  StorageKey,
  type UploadRequest
} from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"

const rounds = 15
const batches = 50
const batchSize = 20
const warmUps = 3

const bucket = "solar-documents"
const region = "eu-central-1"
const credentials = { accessKeyId: "access", secretAccessKey: "secret" }
const id = "01a1f8c0-57c6-71c9-ad96-686b62b4e342"
const key = StorageKey.make(`${id}/${id}/${id}`)
const upload: UploadRequest = { key, mimeType: "application/pdf", sizeBytes: 12_345, maximumBytes: 104_857_600 }
const uploads = Array.from({ length: batchSize }, () => upload)
const organisationId: OrganisationId = Option.getOrThrow(parseStorageKey(key)).organisationId

const validity = () => {
  const from = DateTime.nowUnsafe()
  return { from, until: DateTime.add(from, { seconds: 60 }) }
}

const client = new S3Client({ region, credentials, requestChecksumCalculation: "WHEN_REQUIRED" })
const signableHeaders = new Set(["content-type"])

const byGetSignedUrl = () => {
  const signingDate = new Date()
  return Promise.all(
    uploads.map(({ key: Key, mimeType, sizeBytes }) =>
      getSignedUrl(
        client,
        new PutObjectCommand({
          Bucket: bucket,
          Key,
          ContentType: mimeType,
          IfNoneMatch: "*",
          ContentLength: sizeBytes ?? 0
        }),
        { expiresIn: 60, signingDate, signableHeaders }
      )
    )
  )
}

const microsecondsPerBatch = async (sign: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  for (let batch = 0; batch < batches; batch += 1) await sign()
  return ((performance.now() - began) * 1_000) / batches
}

const middle = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const print = (name: string, values: ReadonlyArray<number>) => {
  const perBatch = middle(values)
  const one = (perBatch / batchSize).toFixed(0).padStart(5)
  console.log(
    `${name.padEnd(18)} ${one} µs an address   ${(perBatch / 1_000).toFixed(2).padStart(6)} ms for ${batchSize}`
  )
}

const program = Effect.gen(function* () {
  const storage = yield* DocumentStorage
  const byPresigner = () => Effect.runPromise(storage.signUploads(organisationId, uploads, validity()))
  const cached: Array<number> = []
  const sdk: Array<number> = []
  for (let round = 0; round < rounds + warmUps; round += 1) {
    const ofCached = yield* Effect.promise(() => microsecondsPerBatch(byPresigner))
    const ofSdk = yield* Effect.promise(() => microsecondsPerBatch(byGetSignedUrl))
    if (round < warmUps) continue
    cached.push(ofCached)
    sdk.push(ofSdk)
  }
  print("signed here", cached)
  print("getSignedUrl", sdk)
  console.log(`ratio ${(middle(sdk) / middle(cached)).toFixed(1)}, median of ${rounds} rounds, Node ${process.version}`)
})

await Effect.runPromise(Effect.provide(program, layer({ bucket, region, credentials })))
client.destroy()
