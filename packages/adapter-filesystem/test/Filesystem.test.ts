import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { layer, layerConfig } from "@solar-sites/adapter-filesystem"
import { DocumentStorage, type Site, type StorageError, type StorageKey, storageKey } from "@solar-sites/core"
import { aDocument, aSite } from "@solar-sites/testing"
import { type Config, ConfigProvider, Context, Effect, Layer } from "effect"
import { aKey, asking, filesIn, temporaryFolder } from "./Serving.ts"

const pathOf = Effect.fnUntraced(function* (
  built: Layer.Layer<DocumentStorage, StorageError | Config.ConfigError>,
  key: ReturnType<typeof aKey>
) {
  const storage = Context.get(yield* Layer.build(built), DocumentStorage)
  return (yield* asking("", storage).signUpload(key)).path
})

describe("a deletion", () => {
  it.live("that fails for one file has ended for all others", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const organisationId = aDocument().organisationId
      const keyIn = (siteId: Site["id"]) => storageKey({ organisationId, siteId, documentId: aDocument().id })
      const place = (key: StorageKey) => join(directory, "objects", key)
      const undeletable = keyIn(aSite().id)
      const keys = [aSite().id, aSite().id, aSite().id].flatMap((id) => Array.from({ length: 30 }, () => keyIn(id)))
      yield* Effect.promise(async () => {
        await mkdir(place(undeletable), { recursive: true })
        for (const key of keys) {
          await mkdir(dirname(place(key)), { recursive: true })
          await writeFile(place(key), "")
        }
      })
      const storage = Context.get(
        yield* Layer.build(layer({ directory, publicUrl: "http://127.0.0.1" })),
        DocumentStorage
      )
      const error = yield* Effect.flip(storage.delete(organisationId, [undeletable, ...keys]))
      assert.strictEqual(error._tag, "StorageError")
      assert.deepEqual(yield* Effect.promise(() => filesIn(join(directory, "objects"))), [])
    })
  )
})

describe("the layer", () => {
  it.live("accepts the base of addresses as text, function or effect", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const key = aKey()
      let base = "not known yet"
      const late = layer({ directory, publicUrl: () => base })
      const effect = layer({ directory, publicUrl: Effect.sync(() => base) })
      base = "http://127.0.0.1:4000/"
      for (const given of [late, effect, layer({ directory, publicUrl: base })]) {
        assert.strictEqual(yield* pathOf(given, key), `http://127.0.0.1:4000/storage/${key}`)
      }
      for (const publicUrl of ["", "127.0.0.1:3000", "ftp://example.com", "https://example.com/?a=1"]) {
        assert.throws(() => layer({ directory, publicUrl }), TypeError, "publicUrl")
      }
    })
  )

  it.live("reads DATA_DIR and PUBLIC_URL", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const key = aKey()
      const environment = { DATA_DIR: directory, PUBLIC_URL: "https://solar.example.com" }
      const configured = layerConfig.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(environment))))
      assert.strictEqual(yield* pathOf(configured, key), `https://solar.example.com/storage/${key}`)
      assert.deepEqual(yield* Effect.promise(() => filesIn(join(directory, "files"))), [])
    })
  )
})
