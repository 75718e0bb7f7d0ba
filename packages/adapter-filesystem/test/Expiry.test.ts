import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { begin, send, until } from "./Sending.ts"
import { aKey, filesIn, start, urlOf } from "./Serving.ts"

const pdf = { "Content-Type": "application/pdf" }

describe("the validity of an address", () => {
  it.effect("is checked when a request starts", () =>
    Effect.gen(function* () {
      const { directory, inspect, signUpload } = yield* start()
      const key = aKey()
      const url = urlOf(yield* signUpload(key))
      yield* TestClock.adjust("59 seconds")
      const slow = begin(url, "PUT", pdf)
      slow.request.write("hel")
      yield* until(async () => (await filesIn(directory)).length === 1)
      yield* TestClock.adjust("20 seconds")
      slow.request.end("lo")
      assert.strictEqual((yield* Effect.promise(() => slow.answer)).status, 201)
      assert.isTrue(Option.isSome(yield* inspect(key)))
    })
  )

  it.effect("ends with its last millisecond", () =>
    Effect.gen(function* () {
      const { signDownload, signUpload } = yield* start()
      const key = aKey()
      const [upload, download] = [urlOf(yield* signUpload(key)), yield* signDownload(key)]
      yield* TestClock.adjust("59999 millis")
      assert.strictEqual((yield* send(download, "GET")).status, 404)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* send(upload, "PUT", pdf, "hello")).code, "address_expired")
      assert.strictEqual((yield* send(download, "GET")).code, "address_expired")
    })
  )

  it.effect("begins at its first instant", () =>
    Effect.gen(function* () {
      const { signDownload } = yield* start()
      const from = DateTime.add(yield* DateTime.now, { minutes: 1 })
      const url = yield* signDownload(aKey(), {}, { from, until: DateTime.add(from, { minutes: 1 }) })
      assert.strictEqual((yield* send(url, "GET")).code, "address_not_valid_yet")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* send(url, "GET")).code, "file_not_found")
    })
  )

  it.effect("ends an upload that is too slow", () =>
    Effect.gen(function* () {
      const { directory, signUpload } = yield* start()
      const slow = begin(urlOf(yield* signUpload(aKey())), "PUT", pdf)
      slow.request.write("hel")
      yield* until(async () => (await filesIn(directory)).length === 1)
      let answered = false
      slow.answer.finally(() => (answered = true))
      while (!answered) {
        yield* TestClock.adjust("10 seconds")
        slow.request.write("lo")
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
      }
      const { code, status } = yield* Effect.promise(() => slow.answer)
      assert.deepEqual([status, code], [408, "upload_stalled"])
    })
  )

  it.effect("ends an upload without progress", () =>
    Effect.gen(function* () {
      const { directory, signUpload } = yield* start()
      const silent = begin(urlOf(yield* signUpload(aKey())), "PUT", pdf)
      silent.request.write("hel")
      yield* until(async () => (await filesIn(directory)).length === 1)
      let answered = false
      silent.answer.finally(() => (answered = true))
      // Repeated: the server may not wait yet when the clock is first adjusted.
      while (!answered) {
        yield* TestClock.adjust("10 seconds")
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      }
      const { code, status } = yield* Effect.promise(() => silent.answer)
      assert.deepEqual([status, code], [408, "upload_stalled"])
      assert.deepEqual(yield* Effect.promise(() => filesIn(directory)), [])
    })
  )
})
