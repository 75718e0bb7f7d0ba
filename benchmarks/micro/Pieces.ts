/**
 * The pieces of a request, each small enough to measure in a second, on memory adapters.
 */
import { layer as s3 } from "@solar-sites/adapter-s3"
import {
  ApiKeySecret,
  ApiKeys,
  Document,
  DocumentStorage,
  decodeCursor,
  encodeCursor,
  makeUnchecked,
  parseStorageKey,
  SolarSites,
  SolarSitesServices,
  StorageKey
} from "@solar-sites/core"
import { toWebHandler } from "@solar-sites/http-node"
import { aDocument, MemoryAdapters } from "@solar-sites/testing"
import { Context, DateTime, Effect, Layer, Option, Redacted, Scope } from "effect"

export interface Piece {
  readonly name: string
  readonly run: () => unknown
}

const id = "01a1f8c0-57c6-71c9-ad96-686b62b4e342"
const site = { siteName: "Long Meadow", capacity: 48.6, unit: "kWp", latitude: 48.1, longitude: 11.5 } as const
const document = aDocument()
const pageSize = 50

const signing = (scope: Scope.Scope) =>
  Effect.map(
    Layer.buildWithScope(
      s3({
        bucket: "solar-documents",
        region: "eu-central-1",
        credentials: { accessKeyId: "access", secretAccessKey: "secret" }
      }),
      scope
    ),
    (context): Piece => {
      const storage = Context.get(context, DocumentStorage)
      const key = StorageKey.make(`${id}/${id}/${id}`)
      const { organisationId } = Option.getOrThrow(parseStorageKey(key))
      const upload = { key, mimeType: "application/pdf", sizeBytes: 12_345, maximumBytes: 104_857_600 }
      const uploads = Array.from({ length: 20 }, () => upload)
      return {
        name: "sign 20 upload addresses for S3",
        run: () => {
          const from = DateTime.nowUnsafe()
          return Effect.runPromise(
            storage.signUploads(organisationId, uploads, { from, until: DateTime.add(from, { seconds: 60 }) })
          )
        }
      }
    }
  )

/** All pieces on one memory with a page of sites; `yardstick` parses and writes a page of JSON. */
export const pieces = Effect.gen(function* () {
  const scope = yield* Scope.Scope
  const ports = yield* Layer.buildWithScope(MemoryAdapters.layer, scope)
  const adapters = Layer.succeedContext(ports)
  const services = yield* Layer.buildWithScope(SolarSitesServices.layer.pipe(Layer.provideMerge(adapters)), scope)
  const [{ handler, ready }, solar] = yield* Effect.acquireRelease(
    Effect.sync(() => [toWebHandler(adapters, { rateLimitPerMinute: 1_000_000 }), SolarSites.make(adapters)] as const),
    // Until then the process does not end.
    (opened) => Effect.promise(() => Promise.all(opened.map(({ dispose }) => dispose())))
  )

  const { secret: key } = yield* Effect.promise(async () => {
    await ready
    const { id: organisationId } = await solar.organisations.create({ name: "Sunfield Energy" })
    const caller = solar.as({ organisationId })
    for (let count = 0; count < pageSize; count++) await caller.sites.create(site)
    return caller.apiKeys.create({ name: "Benchmark" })
  })
  const presented = Redacted.make(key)
  const unknown = yield* ApiKeySecret.generate
  const apiKeys = Context.get(services, ApiKeys)

  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { "x-api-key": key, "content-type": "application/json" }
    const response = await handler(new Request(`http://localhost${path}`, { ...init, headers }))
    return response.text()
  }
  const page = yield* Effect.promise(() => ask(`/api/sites?limit=${pageSize}`))

  const all: ReadonlyArray<Piece> = [
    { name: "digest of a key", run: () => Option.map(ApiKeySecret.parse(presented), ApiKeySecret.digest) },
    { name: "key that is remembered", run: () => Effect.runSync(apiKeys.authenticate(presented)) },
    {
      name: "key that has to be looked up",
      run: () => Effect.runPromiseExit(apiKeys.authenticate(unknown))
    },
    { name: "cursor, made and read", run: () => Effect.runSync(decodeCursor("sites", encodeCursor("sites", id))) },
    {
      name: "document made of members, then changed",
      run: () => makeUnchecked(Document, { ...makeUnchecked(Document, document), version: 2 })
    },
    { name: "request for a trivial answer", run: () => ask("/api/me") },
    { name: `request for a page of ${pageSize} sites`, run: () => ask(`/api/sites?limit=${pageSize}`) },
    {
      name: "request that is refused with a fault",
      run: () => ask("/api/sites", { method: "POST", body: JSON.stringify({ ...site, unit: "horsepower" }) })
    },
    yield* signing(scope)
  ]
  return { yardstick: (): unknown => JSON.stringify(JSON.parse(page)), all }
})
