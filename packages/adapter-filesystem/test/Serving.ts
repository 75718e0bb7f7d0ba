/**
 * A folder of its own behind a real server on a free port, and what tests say to
 * it.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { NodeHttpServer } from "@effect/platform-node"
import {
  type FilesystemOptions,
  layer,
  routes,
  type ServingOptions,
  type StorageServer
} from "@solar-sites/adapter-filesystem"
import {
  DocumentStorage,
  type DownloadRequest,
  OrganisationId,
  type SignedUpload,
  type StorageError,
  type StorageKey,
  type StoredObject,
  type UploadRequest,
  type Validity
} from "@solar-sites/core"
import { aDocument } from "@solar-sites/testing"
import { Context, DateTime, Effect, Layer, Logger, type Option, type Scope } from "effect"
import { HttpRouter, HttpServer } from "effect/http"

export const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "solar-sites-files-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true }))
)

type Options = Partial<FilesystemOptions> & ServingOptions & { readonly directory: string }

/** The storage of a folder and a server for it, as one layer. */
export const served = (
  options: Options
): Layer.Layer<DocumentStorage | StorageServer | HttpServer.HttpServer, unknown> => {
  const server = NodeHttpServer.layer(() => createServer(), { port: 0, host: "127.0.0.1" })
  const storage = Layer.unwrap(
    Effect.map(HttpServer.HttpServer, ({ address }) => {
      const port = "port" in address ? address.port : 0
      return layer({ publicUrl: `http://127.0.0.1:${port}`, ...options })
    })
  )
  return HttpRouter.serve(routes(options), { disableListenLog: true, disableLogger: true }).pipe(
    Layer.provideMerge(storage),
    Layer.provideMerge(server),
    // Failures that a test provokes would fill its output.
    Layer.provide(Logger.layer([]))
  )
}

/** What tests ask of a storage, for a key of theirs. */
export interface Running {
  readonly directory: string
  readonly storage: DocumentStorage["Service"]
  readonly signUpload: (
    key: StorageKey,
    terms?: Partial<UploadRequest>,
    validity?: Validity
  ) => Effect.Effect<SignedUpload, StorageError>
  readonly signDownload: (
    key: StorageKey,
    terms?: Partial<DownloadRequest>,
    validity?: Validity
  ) => Effect.Effect<string, StorageError>
  readonly inspect: (key: StorageKey) => Effect.Effect<Option.Option<StoredObject>, StorageError>
}

export const aKey = (): StorageKey => aDocument().path

export const organisationOf = (key: StorageKey): OrganisationId => OrganisationId.make(key.slice(0, 36))

export const urlOf = ({ path, token }: SignedUpload): string => `${path}?${token}`

const aMinute = Effect.map(DateTime.now, (from): Validity => ({ from, until: DateTime.add(from, { seconds: 60 }) }))

/** The questions of tests to any storage. */
export const asking = (directory: string, storage: DocumentStorage["Service"]): Running => ({
  directory,
  storage,
  signUpload: (key, terms = {}, validity) =>
    Effect.gen(function* () {
      const upload = { key, mimeType: "application/pdf", sizeBytes: null, maximumBytes: 10_000_000, ...terms }
      const signed = yield* storage.signUploads(organisationOf(key), [upload], validity ?? (yield* aMinute))
      return signed[0] ?? (yield* Effect.die("nothing was signed"))
    }),
  signDownload: (key, terms = {}, validity) =>
    Effect.gen(function* () {
      const download = { key, mimeType: null, filename: null, ...terms }
      return yield* storage.signDownload(organisationOf(key), download, validity ?? (yield* aMinute))
    }),
  inspect: (key) => storage.inspect(organisationOf(key), key)
})

/** Starts a server that ends with the test. */
export const start = (options: Partial<Options> = {}): Effect.Effect<Running, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const directory = options.directory ?? (yield* temporaryFolder)
    const context = yield* Layer.build(served({ ...options, directory }))
    return asking(directory, Context.get(context, DocumentStorage))
  })

/** What lies in the folder but the secret: relative paths of all files. */
export const filesIn = async (directory: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name !== "secret")
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort()
}
