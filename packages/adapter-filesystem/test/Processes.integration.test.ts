import { stat } from "node:fs/promises"
import { get } from "node:http"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { startProcess } from "./process/ServerProcess.ts"
import { begin, send, until } from "./Sending.ts"
import { aKey, filesIn, temporaryFolder, urlOf } from "./Serving.ts"

const pdf = { "Content-Type": "application/pdf" }
const mebibyte = 1_048_576
const largeMebibytes = 192
// Generous, since garbage is collected late; memory must not grow with the file.
const mostGrowth = 110 * mebibyte

describe("servers in processes of their own", () => {
  it.live("leave no visible file when killed during an upload", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const killed = yield* startProcess(directory)
      const key = aKey()
      const { request } = begin(urlOf(yield* killed.signUpload(key, { sizeBytes: 10 })), "PUT", {
        ...pdf,
        "Content-Length": "10"
      })
      request.write("hello")
      yield* until(async () => {
        const [file] = await filesIn(directory)
        return file !== undefined && (await stat(join(directory, file))).size === 5
      })
      yield* killed.kill
      const { inspect, signUpload } = yield* startProcess(directory)
      assert.deepEqual(yield* inspect(key), Option.none())
      assert.isTrue((yield* Effect.promise(() => filesIn(directory))).every((file) => !file.startsWith("objects")))
      assert.strictEqual(
        (yield* send(urlOf(yield* signUpload(key, { sizeBytes: 5 })), "PUT", pdf, "hello")).status,
        201
      )
      assert.isTrue(Option.isSome(yield* inspect(key)))
    })
  )

  it.live("share one folder: of uploads to both, one is accepted", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const both = yield* Effect.all([startProcess(directory), startProcess(directory)], { concurrency: 2 })
      for (let round = 0; round < 5; round++) {
        const key = aKey()
        const addresses = yield* Effect.forEach(both, ({ signUpload }) => Effect.map(signUpload(key), urlOf))
        const uploads = Array.from({ length: 12 }, (_, index) => addresses[index % 2] ?? "")
        const answers = yield* Effect.forEach(uploads, (url) => send(url, "PUT", pdf, "x".repeat(10_000)), {
          concurrency: 12
        })
        assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array.from({ length: 11 }, () => 412)])
      }
      assert.strictEqual((yield* Effect.promise(() => filesIn(directory))).length, 5)
    })
  )

  it.live("have bounded memory during large uploads and downloads", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const { inspect, peakBytes, signDownload, signUpload } = yield* startProcess(directory)
      const sizeBytes = largeMebibytes * mebibyte
      const key = aKey()
      const small = aKey()
      yield* send(urlOf(yield* signUpload(small)), "PUT", pdf, "hello")
      const before = yield* peakBytes

      const url = urlOf(yield* signUpload(key, { sizeBytes, maximumBytes: sizeBytes }))
      const upload = begin(url, "PUT", { ...pdf, "Content-Length": String(sizeBytes) })
      const piece = Buffer.alloc(mebibyte)
      yield* Effect.promise(() => pipeline(Readable.from(Array(largeMebibytes).fill(piece)), upload.request))
      assert.strictEqual((yield* Effect.promise(() => upload.answer)).status, 201)
      assert.deepEqual(
        yield* inspect(key),
        Option.some({ sizeBytes, mimeType: "application/pdf", contentCoding: null })
      )

      const download = yield* signDownload(key)
      let received = 0
      const counting = new Writable({
        write: (bytes: Buffer, _encoding, done) => {
          received += bytes.length
          done()
        }
      })
      yield* Effect.promise(
        () =>
          new Promise<void>((resolve, reject) => {
            get(download, { agent: false }, (response) => pipeline(response, counting).then(resolve, reject))
          })
      )
      assert.strictEqual(received, sizeBytes)
      const growth = (yield* peakBytes) - before
      assert.isBelow(growth, mostGrowth)
    })
  )
})
