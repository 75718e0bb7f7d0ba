import { utimes } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { begin, until } from "./Sending.ts"
import { aKey, filesIn, organisationOf, start, urlOf } from "./Serving.ts"

const pdf = { "Content-Type": "application/pdf", "Transfer-Encoding": "chunked" }

describe("an upload in progress", () => {
  it.live("is found for its organisation only, until it ends", () =>
    Effect.gen(function* () {
      const { directory, signUpload, storage } = yield* start()
      const [key, idle] = [aKey(), aKey()]
      const find = (owner: typeof key) => storage.findUploading(organisationOf(owner), [idle, key])
      const { answer, request } = begin(urlOf(yield* signUpload(key)), "PUT", pdf)
      request.write("hello")
      yield* until(async () => (await filesIn(directory)).length === 1)
      assert.deepEqual(yield* find(key), new Set([key]))
      assert.deepEqual(yield* find(idle), new Set())
      request.end()
      assert.strictEqual((yield* Effect.promise(() => answer)).status, 201)
      assert.deepEqual(yield* find(key), new Set())
    })
  )

  it.live("is not found after two minutes without data, since its process has ended", () =>
    Effect.gen(function* () {
      const { directory, signUpload, storage } = yield* start()
      const key = aKey()
      const find = storage.findUploading(organisationOf(key), [key])
      const { request } = begin(urlOf(yield* signUpload(key)), "PUT", pdf)
      request.write("hello")
      yield* until(async () => (await filesIn(directory)).length === 1)
      const [left = ""] = yield* Effect.promise(() => filesIn(directory))
      const lastByte = (minutesAgo: number) =>
        Effect.flatMap(DateTime.now, (now) => {
          const at = new Date(DateTime.toEpochMillis(DateTime.subtract(now, { minutes: minutesAgo })))
          return Effect.promise(() => utimes(join(directory, left), at, at))
        })
      yield* lastByte(1)
      assert.deepEqual(yield* find, new Set([key]))
      yield* lastByte(3)
      assert.deepEqual(yield* find, new Set())
      request.destroy()
      yield* until(async () => (await filesIn(directory)).length === 0)
    })
  )
})
