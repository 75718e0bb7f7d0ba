/**
 * Measures a request for 20 upload addresses, and its parts: signing the addresses and
 * storing the documents alone, in turns within one run. Addresses are signed for
 * S3 with fixed credentials; nothing is sent there. The database is the one at
 * DATABASE_URL (use an empty one), else an embedded one. From the root:
 *
 *     npx -y pnpm@10 exec node --conditions=@solar-sites/source apps/reference-server/test/uploads.bench.ts
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import * as Pglite from "@solar-sites/adapter-postgres/pglite"
import { layer as s3 } from "@solar-sites/adapter-s3"
import {
  AccessChanges,
  ApiKeys,
  Caller,
  CurrentCaller,
  Document,
  DocumentId,
  DocumentStorage,
  documentRecords,
  IdGenerator,
  IssuedUploads,
  Organisations,
  RateLimiter,
  Sites,
  SolarSitesServices,
  storageKey
} from "@solar-sites/core"
import { toWebHandler } from "@solar-sites/http-node"
import { DateTime, Effect, Layer, Redacted, Schema } from "effect"

const rounds = 100
const warmUps = 20
const files = Array.from({ length: 20 }, (_, index) => ({
  filename: `report ${index}.pdf`,
  mimeType: "application/pdf",
  fileSize: 12_345
}))

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const url = process.env["DATABASE_URL"]
const dataDir = await mkdtemp(join(tmpdir(), "solar-sites-bench-"))
const client =
  url === undefined ? Pglite.layer({ dataDir: join(dataDir, "database") }) : PgClient.layer({ url: Redacted.make(url) })
const adapters = Layer.mergeAll(
  layerPorts,
  AccessChanges.layerInProcess,
  RateLimiter.layerInProcess,
  s3({
    bucket: "solar-documents",
    region: "eu-central-1",
    credentials: { accessKeyId: "access", secretAccessKey: "secret" }
  })
).pipe(Layer.provideMerge(Layer.effectDiscard(migrate)), Layer.provideMerge(client))

const program = Effect.gen(function* () {
  const context = yield* Layer.build(adapters)
  const services = yield* Layer.build(SolarSitesServices.layer.pipe(Layer.provide(Layer.succeedContext(context))))
  const inServices = Effect.provide(services)
  const { id: organisationId } = yield* Organisations.use((all) => all.create({ name: "Bench" })).pipe(inServices)
  const asPerson = Effect.provideService(CurrentCaller, new Caller({ organisationId, userId: null, apiKeyId: null }))
  const { secret } = yield* ApiKeys.use((keys) => keys.create({ name: "Bench" })).pipe(asPerson, inServices)
  const site = yield* Sites.use((sites) => sites.create({ siteName: "Bench", capacity: 1, unit: "kW" })).pipe(
    asPerson,
    inServices
  )

  const { dispose, handler } = toWebHandler(Layer.succeedContext(context), { rateLimitPerMinute: 0 })
  const request = async () => {
    const response = await handler(
      new Request("http://127.0.0.1/api/docs/bulk-upload-url", {
        method: "POST",
        headers: { "x-api-key": Redacted.value(secret), "content-type": "application/json" },
        body: JSON.stringify({ siteId: site.id, fileType: "documents", files })
      })
    )
    const { summary } = Schema.decodeUnknownSync(Schema.Struct({ summary: IssuedUploads.fields.summary }))(
      await response.json()
    )
    if (summary.successful !== files.length) throw new Error(`answered ${response.status}`)
  }

  const storage = yield* Effect.provide(Effect.service(DocumentStorage), context)
  const commands = yield* Effect.provide(documentRecords, context)
  const nextId = yield* IdGenerator
  const documents = Effect.forEach(files, ({ filename, fileSize, mimeType }) =>
    Effect.map(nextId, (id) => {
      const at = DateTime.nowUnsafe()
      return new Document({
        id: DocumentId.make(id),
        organisationId,
        siteId: site.id,
        type: "documents",
        documentType: null,
        filename,
        path: storageKey({ organisationId, siteId: site.id, documentId: id }),
        status: "pending",
        mimeType,
        sizeBytes: fileSize,
        uploadedBy: null,
        omRecordId: null,
        failureReason: null,
        createdAt: at,
        updatedAt: at,
        version: 1,
        note: null,
        validFrom: null,
        validUntil: null,
        replaces: null,
        replacedBy: null
      })
    })
  )
  const until = () => DateTime.add(DateTime.nowUnsafe(), { seconds: 60 })
  const signing = async () => {
    const uploads = (await Effect.runPromise(documents)).map(({ mimeType, path: key, sizeBytes }) => ({
      key,
      mimeType,
      sizeBytes,
      maximumBytes: 104_857_600
    }))
    await Effect.runPromise(
      storage.signUploads(organisationId, uploads, { from: DateTime.nowUnsafe(), until: until() })
    )
  }
  const storing = async () => {
    const made = await Effect.runPromise(documents)
    await Effect.runPromise(commands.insertMany(organisationId, site.id, made, until()))
  }

  const times = { request: [] as Array<number>, signing: [] as Array<number>, storing: [] as Array<number> }
  yield* Effect.promise(async () => {
    for (let round = 0; round < warmUps + rounds; round++) {
      const measured = { request: await timed(request), signing: await timed(signing), storing: await timed(storing) }
      if (round < warmUps) continue
      times.request.push(measured.request)
      times.signing.push(measured.signing)
      times.storing.push(measured.storing)
    }
    await dispose()
  })
  return times
})

const times = await Effect.runPromise(Effect.scoped(program))
await rm(dataDir, { recursive: true, force: true })
const signing = median(times.signing)
console.log(`20 upload addresses, median of ${rounds}, ${url === undefined ? "embedded Postgres" : "Postgres server"}`)
for (const [name, values] of Object.entries(times)) {
  console.log(
    `${name.padEnd(8)} ${median(values).toFixed(2).padStart(7)} ms  ${(median(values) / signing).toFixed(1)} x signing`
  )
}
