/**
 * A folder of its own behind a real server on a free port, and the requests that tests send to it.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { type FilesystemOptions, layer, type ServingOptions, StorageServer } from "@solar-sites/adapter-filesystem"
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
import { toNodeListener } from "@solar-sites/http-node"
import { aDocument, MemoryAdapters } from "@solar-sites/testing"
import { Clock, Context, DateTime, Effect, Layer, Logger, type Option, type Scope } from "effect"

export const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "solar-sites-files-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true }))
)

/** Options of the folder and of its application. `onStored` replaces the one of the binding. */
interface Options extends Partial<FilesystemOptions>, Pick<ServingOptions, "beforeReading" | "onStored"> {
  readonly directory: string
  readonly corsOrigins?: ReadonlyArray<string>
}

/** Where the server of the folder listens. */
export class Listening extends Context.Service<Listening, { readonly port: number }>()("test/Listening") {}

// Failures that a test provokes would fill its output.
const quiet = Logger.layer([])

/** The adapters of a host over memory, with this storage. */
export const adaptersWith = (storage: Context.Context<DocumentStorage>) =>
  Layer.mergeAll(MemoryAdapters.layer, Layer.succeedContext(storage), quiet)

const listen = (server: Server): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    }),
    () =>
      Effect.promise(async () => {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()))
        server.closeAllConnections()
        await closed
      })
  )

/** The storage of a folder, served by the Node listener of the HTTP binding, as one layer. */
export const served = ({
  beforeReading,
  corsOrigins,
  onStored,
  ...options
}: Options): Layer.Layer<DocumentStorage | Listening, unknown> =>
  Layer.effectContext(
    Effect.gen(function* () {
      let port = 0
      const folder = yield* Layer.build(layer({ publicUrl: () => `http://127.0.0.1:${port}`, ...options }))
      const { app } = Context.get(folder, StorageServer)
      // The server has a runtime of its own, which would not see the clock of a test.
      const clock = Layer.succeed(Clock.Clock, yield* Clock.Clock)
      const solar = toNodeListener(Layer.merge(adaptersWith(folder), clock), {
        corsOrigins,
        storage: (serving) =>
          app({
            ...serving,
            ...(onStored === undefined ? {} : { onStored }),
            beforeReading: (source) => {
              beforeReading?.(source)
              serving.beforeReading(source)
            }
          })
      })
      yield* Effect.addFinalizer(() => Effect.promise(solar.close))
      yield* Effect.promise(() => solar.ready)
      port = yield* listen(createServer(solar.listener).on("checkContinue", solar.checkContinue))
      return Context.add(folder, Listening, { port })
    })
  )

/** The calls of tests to a storage, for a key of their own. */
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

/** The calls of tests to any storage. */
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

/** Relative paths of all files in the folder but the secret. */
export const filesIn = async (directory: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name !== "secret")
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort()
}
