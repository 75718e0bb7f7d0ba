import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, it } from "@effect/vitest"
import * as Filesystem from "@solar-sites/adapter-filesystem"
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import { StorageClient } from "@solar-sites/testing"
import { Clock, Context, Effect, Layer, Random, Redacted } from "effect"
import { HttpEffect } from "effect/http"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { runChainHistory } from "./ChainHistory.ts"
import { runHistory } from "./History.ts"

const schemas = ownSchemas()
const seeds = Array.from({ length: 6 }, (_, index) => `history ${index}`)

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "solar-sites-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** Client of the folder's addresses, with the clock of the test. */
const clientOf = ({ app }: Filesystem.StorageServer["Service"], clock: Clock.Clock) => {
  const handle = HttpEffect.toWebHandler(Effect.provideService(app(), Clock.Clock, clock))
  const ask = (url: string, init: RequestInit) => Effect.promise(() => handle(new Request(url, init)))
  return StorageClient.of({
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
  })
}

describe.skipIf(withoutPostgres)("on Postgres", () => {
  const { DATABASE_SCHEMA: schema, DATABASE_URL: url } = schemas.next()
  afterAll(() => schemas.drop())

  const instance = Layer.build(
    Layer.fresh(
      layerPorts.pipe(
        Layer.provideMerge(PgClient.layer({ url: Redacted.make(url), schema, queryTimeout: "30 seconds" }))
      )
    )
  )

  describe("a document and its file in a folder agree at every step of a random history with crashes", () => {
    it.effect.each(seeds)("%s", (seed) =>
      Effect.gen(function* () {
        const directory = yield* temporaryFolder
        const files = yield* Layer.build(Filesystem.layer({ directory, publicUrl: "http://files.example.com" }))
        const databases = [yield* instance, yield* instance] as const
        yield* Effect.provide(migrate, databases[0])
        const [first, second] = databases
        const client = clientOf(Context.get(files, Filesystem.StorageServer), yield* Clock.Clock)
        const ports = [Context.merge(first, files), Context.merge(second, files)] as const
        yield* Effect.provideService(runHistory(ports, 500), StorageClient, client)
      }).pipe(Random.withSeed(seed))
    )
  })

  describe("the revisions of a site are whole after every round of concurrent changes", () => {
    it.live.each(seeds)("%s", (seed) =>
      Effect.gen(function* () {
        const databases = [yield* instance, yield* instance] as const
        yield* Effect.provide(migrate, databases[0])
        yield* runChainHistory(databases, 60)
      }).pipe(Random.withSeed(seed))
    )
  })
})
