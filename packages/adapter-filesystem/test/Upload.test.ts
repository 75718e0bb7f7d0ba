import { assert, describe, it } from "@effect/vitest"
import type { StorageKey } from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { begin, send, until } from "./Sending.ts"
import { aKey, filesIn, organisationOf, start, urlOf } from "./Serving.ts"

const pdf = { "Content-Type": "application/pdf" }
const storedPdf = (sizeBytes: number) => Option.some({ sizeBytes, mimeType: "application/pdf", contentCoding: null })

describe("an upload", () => {
  it.live("stores the bytes with their type, under the key alone", () =>
    Effect.gen(function* () {
      const { directory, inspect, signUpload } = yield* start()
      const key = aKey()
      const signed = yield* signUpload(key, { sizeBytes: 5 })
      assert.isTrue(signed.path.endsWith(`/storage/${key}`))
      assert.deepEqual(signed.headers, pdf)
      assert.include(yield* send(urlOf(signed), "PUT", signed.headers, "hello"), { status: 201, body: "" })
      assert.deepEqual(yield* inspect(key), storedPdf(5))
      assert.deepEqual(yield* Effect.promise(() => filesIn(directory)), [`objects/${key}`])
    })
  )

  it.live("can be empty", () =>
    Effect.gen(function* () {
      const { inspect, signDownload, signUpload } = yield* start()
      const key = aKey()
      assert.strictEqual((yield* send(urlOf(yield* signUpload(key, { sizeBytes: 0 })), "PUT", pdf)).status, 201)
      assert.deepEqual(yield* inspect(key), storedPdf(0))
      const { body, headers, status } = yield* send(yield* signDownload(key), "GET")
      assert.deepEqual([status, body, headers["content-length"]], [200, "", "0"])
    })
  )

  it.live("is answered with the request id of the client, or a new one, and is not cached", () =>
    Effect.gen(function* () {
      const { signUpload } = yield* start()
      const url = urlOf(yield* signUpload(aKey()))
      const answers = [
        yield* send(url, "PUT", { ...pdf, "X-Request-Id": "attempt-0001" }, "hello"),
        yield* send(url, "PUT", { ...pdf, "X-Request-Id": "attempt-0002" }, "hello"),
        yield* send(url, "PUT", { ...pdf, "X-Request-Id": "no name" }, "hello")
      ]
      const [first, second, third] = answers.map(({ headers }) => headers["x-request-id"])
      assert.deepEqual([first, second], ["attempt-0001", "attempt-0002"])
      assert.match(String(third), /^[0-9a-f-]{36}$/)
      assert.deepEqual(
        answers.map(({ body, headers, status }) => [
          status,
          JSON.parse(body || "{}").requestId,
          headers["cache-control"]
        ]),
        [
          [201, undefined, "no-store"],
          [412, second, "no-store"],
          [412, third, "no-store"]
        ]
      )
    })
  )

  const refusals: ReadonlyArray<
    readonly [
      name: string,
      answer: readonly [number, string],
      request: {
        readonly terms?: { readonly sizeBytes?: number; readonly maximumBytes?: number }
        readonly headers?: Readonly<Record<string, string>>
        readonly url?: (url: string) => string
      }
    ]
  > = [
    ["another type", [415, "unsupported_media_type"], { headers: { "Content-Type": "text/plain" } }],
    ["no type", [415, "unsupported_media_type"], { headers: {} }],
    ["a content coding", [415, "unsupported_media_type"], { headers: { ...pdf, "Content-Encoding": "gzip" } }],
    ["a part of a file", [400, "invalid_range"], { headers: { ...pdf, "Content-Range": "bytes 0-4/9" } }],
    ["a shorter file than declared", [400, "length_mismatch"], { terms: { sizeBytes: 6 } }],
    ["a longer file than declared", [400, "length_mismatch"], { terms: { sizeBytes: 4 } }],
    [
      "a shorter file in chunks",
      [400, "length_mismatch"],
      { terms: { sizeBytes: 6 }, headers: { ...pdf, "Transfer-Encoding": "chunked" } }
    ],
    [
      "a longer file in chunks",
      [400, "length_mismatch"],
      { terms: { sizeBytes: 4 }, headers: { ...pdf, "Transfer-Encoding": "chunked" } }
    ],
    ["a file above the maximum", [413, "file_too_large"], { terms: { maximumBytes: 4 } }],
    [
      "a file above the maximum in chunks",
      [413, "file_too_large"],
      { terms: { maximumBytes: 4 }, headers: { ...pdf, "Transfer-Encoding": "chunked" } }
    ],
    ["an address without a token", [403, "address_invalid"], { url: (url) => url.split("?")[0] ?? "" }],
    [
      "an address whose terms were changed",
      [403, "address_invalid"],
      {
        url: (url) => {
          const [path, token = ""] = url.split("?token=")
          const terms = JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString())
          const changed = Buffer.from(JSON.stringify({ ...terms, maximum: 2 * terms.maximum })).toString("base64url")
          return `${path}?token=${changed}.${token.split(".")[1]}`
        }
      }
    ],
    ["an address with something added", [403, "address_invalid"], { url: (url) => `${url}&token=1` }],
    [
      "an address of another file",
      [403, "address_invalid"],
      { url: (url) => url.replace(/[0-9a-f-]{36}\?/, `${aKey().slice(-36)}?`) }
    ]
  ]
  for (const [name, [status, code], { headers = pdf, terms, url = (same: string) => same }] of refusals) {
    it.live(`refuses ${name} and keeps nothing`, () =>
      Effect.gen(function* () {
        const { directory, signUpload } = yield* start()
        const answer = yield* send(url(urlOf(yield* signUpload(aKey(), terms))), "PUT", headers, "hello")
        assert.deepEqual([answer.status, answer.code], [status, code])
        assert.strictEqual(answer.headers["content-type"], "application/problem+json")
        assert.deepEqual(yield* Effect.promise(() => filesIn(directory)), [])
      })
    )
  }

  it.live("refuses an address that has lapsed, and a download address", () =>
    Effect.gen(function* () {
      const { signDownload, signUpload } = yield* start()
      const now = yield* DateTime.now
      const past = { from: DateTime.subtract(now, { seconds: 61 }), until: DateTime.subtract(now, { seconds: 1 }) }
      const lapsed = yield* send(urlOf(yield* signUpload(aKey(), {}, past)), "PUT", pdf, "hello")
      assert.deepEqual([lapsed.status, lapsed.code], [403, "address_expired"])
      const download = yield* send(yield* signDownload(aKey()), "PUT", pdf, "hello")
      assert.deepEqual([download.status, download.code], [403, "address_invalid"])
    })
  )

  it.live("applies the maximum of the host to every upload", () =>
    Effect.gen(function* () {
      const { signUpload } = yield* start({ maximumFileBytes: 4 })
      assert.strictEqual((yield* send(urlOf(yield* signUpload(aKey())), "PUT", pdf, "hello")).status, 413)
      assert.strictEqual((yield* send(urlOf(yield* signUpload(aKey())), "PUT", pdf, "hell")).status, 201)
    })
  )

  it.live("never replaces the first file", () =>
    Effect.gen(function* () {
      const { signDownload, signUpload } = yield* start()
      const key = aKey()
      const url = urlOf(yield* signUpload(key))
      yield* send(url, "PUT", pdf, "first")
      const second = yield* send(url, "PUT", pdf, "second")
      assert.deepEqual([second.status, second.code], [412, "already_uploaded"])
      const other = urlOf(yield* signUpload(key, { mimeType: "text/plain" }))
      assert.strictEqual((yield* send(other, "PUT", { "Content-Type": "text/plain" }, "third")).status, 412)
      assert.strictEqual((yield* send(yield* signDownload(key), "GET")).body, "first")
    })
  )

  it.live("answers a refused upload before its body has arrived", () =>
    Effect.gen(function* () {
      const { directory, signUpload } = yield* start()
      const tooLarge = urlOf(yield* signUpload(aKey(), { maximumBytes: 1_000_000 }))
      const announced = begin(tooLarge, "PUT", { ...pdf, "Content-Length": "1000001" })
      announced.request.flushHeaders()
      assert.strictEqual((yield* Effect.promise(() => announced.answer)).code, "file_too_large")
      announced.request.destroy()

      const chunked = begin(tooLarge, "PUT", { ...pdf, "Transfer-Encoding": "chunked" })
      chunked.request.write(Buffer.alloc(1_000_001))
      const answer = yield* Effect.promise(() => chunked.answer)
      assert.deepEqual([answer.code, answer.headers.connection], ["file_too_large", "close"])
      chunked.request.destroy()
      assert.deepEqual(yield* Effect.promise(() => filesIn(directory)), [])
    })
  )

  it.live("calls beforeReading once it reads the body, and not for a request that it refuses before", () =>
    Effect.gen(function* () {
      const read: Array<object> = []
      const { signUpload } = yield* start({ beforeReading: (source) => read.push(source) })
      const url = urlOf(yield* signUpload(aKey()))
      yield* send(url, "PUT", { "Content-Type": "text/plain" }, "hello")
      assert.strictEqual(read.length, 0)
      yield* send(url, "PUT", pdf, "hello")
      yield* send(url, "PUT", pdf, "hello")
      assert.strictEqual(read.length, 1)
    })
  )

  it.live("leaves nothing of an upload whose connection is cut", () =>
    Effect.gen(function* () {
      const { directory, inspect, signUpload } = yield* start()
      const cut = Effect.fnUntraced(function* (headers: Readonly<Record<string, string>>) {
        const key = aKey()
        const { request } = begin(urlOf(yield* signUpload(key)), "PUT", { ...pdf, ...headers })
        request.write("hello")
        yield* until(async () => (await filesIn(directory)).length === 1)
        request.destroy()
        yield* until(async () => (await filesIn(directory)).length === 0)
        assert.deepEqual(yield* inspect(key), Option.none())
      })
      yield* cut({ "Content-Length": "10" })
      yield* cut({ "Transfer-Encoding": "chunked" })
    })
  )

  it.live("reports a file before it answers, and keeps it when the report fails", () =>
    Effect.gen(function* () {
      const reported: Array<StorageKey> = []
      const { inspect, signUpload } = yield* start({
        onStored: (key) =>
          Effect.sync(() => reported.push(key)).pipe(Effect.andThen(Effect.fail(new Error("no report"))))
      })
      const key = aKey()
      assert.strictEqual((yield* send(urlOf(yield* signUpload(key)), "PUT", pdf, "hello")).status, 201)
      assert.deepEqual(reported, [key])
      assert.isTrue(Option.isSome(yield* inspect(key)))
    })
  )

  it.live("accepts one of twelve uploads at once", () =>
    Effect.gen(function* () {
      const { directory, signDownload, signUpload } = yield* start()
      const key = aKey()
      const url = urlOf(yield* signUpload(key))
      const bodies = Array.from({ length: 12 }, (_, index) => `upload ${index}`)
      const answers = yield* Effect.forEach(bodies, (body) => send(url, "PUT", pdf, body), { concurrency: 12 })
      const accepted = bodies.filter((_, index) => answers[index]?.status === 201)
      assert.strictEqual(accepted.length, 1)
      assert.strictEqual(answers.filter(({ status }) => status === 412).length, 11)
      assert.strictEqual((yield* send(yield* signDownload(key), "GET")).body, accepted[0])
      assert.deepEqual(yield* Effect.promise(() => filesIn(directory)), [`objects/${key}`])
    })
  )

  it.live("signs nothing for another organisation", () =>
    Effect.gen(function* () {
      const { signUpload, storage } = yield* start()
      const key = aKey()
      yield* send(urlOf(yield* signUpload(key)), "PUT", pdf, "hello")
      const stranger = organisationOf(aKey())
      const from = yield* DateTime.now
      const download = { key, mimeType: null, filename: null }
      const failure = yield* Effect.flip(storage.signDownload(stranger, download, { from, until: from }))
      assert.strictEqual(failure._tag, "StorageError")
    })
  )
})
