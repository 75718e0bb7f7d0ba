import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { begin, send } from "./Sending.ts"
import { aKey, filesIn, organisationOf, start, temporaryFolder, urlOf } from "./Serving.ts"

const pdf = { "Content-Type": "application/pdf" }

const run = (command: string, ...args: ReadonlyArray<string>) => execFileSync(command, args, { stdio: "ignore" })

/** A disk of one megabyte; none if this process may not mount one. */
const smallDisk = Effect.gen(function* () {
  const directory = join(yield* temporaryFolder, "disk")
  mkdirSync(directory)
  const mounted = yield* Effect.acquireRelease(
    Effect.sync(() => {
      try {
        run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", directory)
        return true
      } catch {
        return false
      }
    }),
    (isMounted) =>
      Effect.sync(() => {
        if (isMounted) run("umount", directory)
      })
  )
  return mounted ? Option.some(directory) : Option.none()
})

describe("a read-only disk", () => {
  it.live("is named as the reason why a folder cannot be opened", (context) =>
    Effect.gen(function* () {
      const disk = yield* smallDisk
      if (Option.isNone(disk)) {
        console.log("Skipped: a read-only disk cannot be shown where mounting a tmpfs is not permitted.")
        return context.skip()
      }
      run("mount", "-o", "remount,ro", disk.value)
      const error = yield* Effect.flip(start({ directory: join(disk.value, "new", "files") }))
      assert.include(String(Object(error).cause), "EROFS: read-only file system")
    })
  )
})

describe("a full disk", () => {
  it.live("refuses files that do not fit, stores no part of them, and accepts files when there is room", (context) =>
    Effect.gen(function* () {
      const disk = yield* smallDisk
      if (Option.isNone(disk)) {
        console.log("Skipped: a full disk cannot be shown where mounting a tmpfs is not permitted.")
        return context.skip()
      }
      const { directory, inspect, signUpload, storage } = yield* start({ directory: disk.value })
      const first = aKey()
      const put = Effect.fnUntraced(function* (key: ReturnType<typeof aKey>, sizeBytes: number) {
        return yield* send(urlOf(yield* signUpload(key)), "PUT", pdf, Buffer.alloc(sizeBytes))
      })
      assert.strictEqual((yield* put(first, 600_000)).status, 201)
      const second = aKey()
      const refused = yield* put(second, 600_000)
      assert.deepEqual([refused.status, refused.code], [503, "storage_full"])
      assert.notInclude(refused.body, directory)
      assert.deepEqual(yield* inspect(second), Option.none())
      assert.deepEqual(yield* Effect.promise(() => filesIn(directory)), [`objects/${first}`])

      const endless = begin(urlOf(yield* signUpload(second)), "PUT", { ...pdf, "Transfer-Encoding": "chunked" })
      endless.request.write(Buffer.alloc(600_000))
      assert.strictEqual((yield* Effect.promise(() => endless.answer)).code, "storage_full")
      endless.request.destroy()

      yield* storage.delete(organisationOf(first), [first])
      assert.strictEqual((yield* put(second, 600_000)).status, 201)
      assert.isTrue(Option.isSome(yield* inspect(second)))
    })
  )
})
