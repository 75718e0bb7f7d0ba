import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { layer, StorageServer } from "@solar-sites/adapter-filesystem"
import { DocumentStorage } from "@solar-sites/core"
import { toWebHandler } from "@solar-sites/http-node"
import { Context, Effect, Layer } from "effect"
import { send, sendRaw } from "./Sending.ts"
import { adaptersWith, aKey, asking, start, temporaryFolder, urlOf } from "./Serving.ts"

const pdf = { "Content-Type": "application/pdf" }
const origin = "https://console.example.com"

describe("the paths under /storage", () => {
  it.live("lead to keys and to nothing else", () =>
    Effect.gen(function* () {
      const { directory, signDownload, signUpload } = yield* start()
      const key = aKey()
      yield* Effect.promise(() => writeFile(join(directory, "outside"), "outside"))
      yield* send(urlOf(yield* signUpload(key)), "PUT", pdf, "hello")
      const url = yield* signDownload(key)
      const token = url.split("?")[1]
      const [organisation, site, document] = key.split("/")
      const paths = [
        "/storage",
        "/storage/",
        "/storage/../outside",
        "/storage/../../outside",
        "/storage/%2e%2e/outside",
        "/storage/..%2foutside",
        "/storage/..%5coutside",
        "/storage/..\\outside",
        "/storage//etc/passwd",
        "/storage/%2fetc%2fpasswd",
        "/storage/file:///etc/passwd",
        `/storage/${key}%00`,
        `/storage/${key}/`,
        `/storage/${key}/..`,
        `/storage//${key}`,
        `/storage/${organisation}//${site}/${document}`,
        `/storage/${organisation}/${site}/../${site}/${document}`,
        `/storage/${organisation}%2f${site}%2f${document}`,
        `/storage/${organisation}/${site}/${document?.toUpperCase()}`,
        `/storage/${organisation}/${site}`,
        `/storage/../../secret`,
        `/STORAGE/${key}`,
        "/storage/%"
      ]
      for (const path of paths) {
        for (const method of ["GET", "PUT"]) {
          assert.strictEqual(yield* sendRaw(url, method, `${path}?${token}`), 404, `${method} ${path}`)
        }
      }
      assert.strictEqual(yield* sendRaw(url, "GET", `/storage/${key}?${token}`), 200)
    })
  )

  it.live("serve GET, HEAD and PUT", () =>
    Effect.gen(function* () {
      const { signDownload } = yield* start()
      const url = yield* signDownload(aKey())
      for (const method of ["POST", "PATCH", "DELETE", "OPTIONS"]) {
        const { code, headers, status } = yield* send(url, method, { Origin: origin })
        assert.deepEqual([status, code, headers.allow], [405, "method_not_allowed", "GET, HEAD, PUT"])
        assert.isUndefined(headers["access-control-allow-origin"])
      }
    })
  )

  it.live("are open to pages of the origins in corsOrigins", () =>
    Effect.gen(function* () {
      const { signUpload } = yield* start({ corsOrigins: [origin] })
      const url = urlOf(yield* signUpload(aKey()))
      const asked = { "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "content-type" }
      const preflight = yield* send(url, "OPTIONS", { ...asked, Origin: origin })
      assert.strictEqual(preflight.status, 204)
      assert.strictEqual(preflight.headers["access-control-allow-origin"], origin)
      assert.strictEqual(preflight.headers["access-control-allow-methods"], "GET, HEAD, PUT")
      assert.include(preflight.headers["access-control-allow-headers"], "Content-Type")
      assert.strictEqual(preflight.headers.vary, "Origin")
      const stranger = yield* send(url, "OPTIONS", { ...asked, Origin: "https://example.org" })
      assert.deepEqual([stranger.status, stranger.headers["access-control-allow-origin"]], [405, undefined])
      const { headers, status } = yield* send(url, "PUT", { ...pdf, Origin: origin }, "hello")
      assert.deepEqual([status, headers["access-control-allow-origin"]], [201, origin])
    })
  )

  it.live("work under a prefix and behind a fetch handler", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const publicUrl = "https://example.com/solar/"
      const context = yield* Layer.build(layer({ directory, publicUrl }))
      const { signDownload, signUpload } = asking(directory, Context.get(context, DocumentStorage))
      const { app } = Context.get(context, StorageServer)
      const { dispose, handler: handle } = toWebHandler(adaptersWith(context), { prefix: "/solar", storage: app })
      yield* Effect.addFinalizer(() => Effect.promise(dispose))
      const key = aKey()
      const signed = yield* signUpload(key, { sizeBytes: 5 })
      assert.strictEqual(signed.path, `https://example.com/solar/storage/${key}`)
      const fetched = (url: string, init: RequestInit = {}) => Effect.promise(() => handle(new Request(url, init)))
      const put = { method: "PUT", headers: signed.headers, body: "hello" }
      assert.strictEqual((yield* fetched(urlOf(signed), { ...put, body: "hello, world" })).status, 400)
      assert.strictEqual((yield* fetched(urlOf(signed), put)).status, 201)
      assert.strictEqual((yield* fetched(urlOf(signed), put)).status, 412)
      const answer = yield* fetched(yield* signDownload(key), { headers: { Range: "bytes=1-" } })
      assert.deepEqual([answer.status, yield* Effect.promise(() => answer.text())], [206, "ello"])
      assert.strictEqual((yield* fetched(`https://example.com/storage/${key}`)).status, 404)
      const empty = urlOf(yield* signUpload(aKey()))
      assert.strictEqual((yield* fetched(empty, { method: "PUT", headers: pdf })).status, 201)
    })
  )
})
