/**
 * Where documents and files are kept during the proof.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3"
import * as Filesystem from "@solar-sites/adapter-filesystem"
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import * as S3 from "@solar-sites/adapter-s3"
import type { DocumentStorage, SolarSitesServices } from "@solar-sites/core"
import { MemoryAdapters, MemoryDocumentStorage, StorageClient } from "@solar-sites/testing"
import { Clock, Context, Effect, Exit, Layer, Scope } from "effect"
import { HttpEffect } from "effect/http"
import { startEmbedded } from "../../../packages/adapter-postgres/test/EmbeddedPostgres.ts"
import { findServer } from "../../../packages/adapter-s3/test/CephRgw.ts"

export type Ports = SolarSitesServices.DatabasePorts | DocumentStorage

/** Two instances on one database and one storage. */
export interface Target {
  readonly instances: readonly [Context.Context<Ports>, Context.Context<Ports>]
  readonly client: StorageClient["Service"]
  /** The storage knows of uploads that have begun, and takes them in chunks. */
  readonly knowsUploads: boolean
}

export interface Bench {
  /** A target for one sequence, which uses an organisation of its own. */
  readonly next: () => Promise<Target>
  readonly close: () => Promise<void>
}

/** Client of the folder. Its addresses expire by the clock of the calling effect. */
const folderClient = ({ app }: Filesystem.StorageServer["Service"]): StorageClient["Service"] => {
  const ask = (url: string, init: RequestInit) =>
    Effect.flatMap(Clock.Clock, (clock) => {
      const handle = HttpEffect.toWebHandler(Effect.provideService(app(), Clock.Clock, clock))
      return Effect.promise(() => handle(new Request(url, init)))
    })
  return {
    put: ({ body, headers, url }) =>
      ask(url, { method: "PUT", headers, body: Buffer.concat(body instanceof Uint8Array ? [body] : body) }),
    breakOff: () => Effect.void,
    get: (url) =>
      Effect.flatMap(ask(url, {}), (response) =>
        Effect.promise(async () => ({
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: new Uint8Array(await response.arrayBuffer())
        }))
      )
  }
}

const folder = Effect.gen(function* () {
  const directory = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "solar-sites-proof-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  const files = yield* Layer.build(Filesystem.layer({ directory, publicUrl: "http://files.example.com" }))
  return Context.add(files, StorageClient, folderClient(Context.get(files, Filesystem.StorageServer)))
})

const bucket = Effect.gen(function* () {
  const running = yield* Effect.acquireRelease(Effect.promise(findServer), (server) =>
    Effect.promise(async () => server?.stop())
  )
  if (running === undefined) return yield* Effect.die(new Error("There is no S3 server; see the reason above."))
  const { accessKeyId, endpoint, region, secretAccessKey } = running.server
  const connection = { endpoint, region, credentials: { accessKeyId, secretAccessKey } }
  const client = new S3Client({ ...connection, forcePathStyle: true, requestChecksumCalculation: "WHEN_REQUIRED" })
  yield* Effect.promise(() => client.send(new CreateBucketCommand({ Bucket: "proof" })))
  client.destroy()
  return yield* Layer.build(Layer.merge(S3.layer({ bucket: "proof", ...connection }), StorageClient.layerFetch))
})

const postgres = Effect.gen(function* () {
  const { url } = yield* Effect.acquireRelease(
    Effect.promise(() => startEmbedded()),
    ({ stop }) => Effect.promise(stop)
  )
  const instance = Layer.build(
    Layer.fresh(Layer.provideMerge(layerPorts, PgClient.layer({ url, queryTimeout: "30 seconds" })))
  )
  const both = [yield* instance, yield* instance] as const
  yield* Effect.provideContext(migrate, both[0])
  return both
})

type Storage = Context.Context<DocumentStorage | StorageClient>

const onPostgres = async (
  storage: Effect.Effect<Storage, unknown, Scope.Scope>,
  knowsUploads: boolean
): Promise<Bench> => {
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const opened = Effect.gen(function* () {
    const [first, second] = yield* postgres
    const files = yield* storage
    const instances = [Context.merge(first, files), Context.merge(second, files)] as const
    return { instances, client: Context.get(files, StorageClient), knowsUploads }
  })
  try {
    const target = await Effect.runPromise(Scope.provide(opened, scope))
    return { next: () => Promise.resolve(target), close }
  } catch (cause) {
    await close()
    throw cause
  }
}

const memoryTarget = Effect.map(Layer.build(Layer.fresh(MemoryAdapters.layer)), (ports): Target => {
  return { instances: [ports, ports], client: Context.get(ports, StorageClient), knowsUploads: true }
})

/** Repository and storage, by the names of `--on`. */
export const targets = {
  memory: async (): Promise<Bench> => ({
    next: () => Effect.runPromise(Effect.scoped(memoryTarget)),
    close: async () => {}
  }),
  postgres: () => onPostgres(Layer.build(MemoryDocumentStorage.layer), true),
  files: () => onPostgres(folder, false),
  s3: () => onPostgres(bucket, false)
}
