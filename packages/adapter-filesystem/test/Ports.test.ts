import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@solar-sites/adapter-filesystem"
import { DocumentStorage, type ListedObject, type Page, StorageKey } from "@solar-sites/core"
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { send } from "./Sending.ts"
import { aKey, asking, filesIn, organisationOf, start, temporaryFolder, urlOf } from "./Serving.ts"

const pdf = { "Content-Type": "application/pdf" }
const publicUrl = "http://127.0.0.1:3000"

const opened = Effect.fnUntraced(function* (directory: string, secret?: string) {
  const context = yield* Layer.build(
    layer({ directory, publicUrl, ...(secret === undefined ? {} : { secret: Redacted.make(secret) }) })
  )
  return asking(directory, Context.get(context, DocumentStorage))
})

/** A key with the same first `shared` parts: organisation, or organisation and site. */
const beside = (key: StorageKey, shared: 1 | 2): StorageKey =>
  StorageKey.make([...key.split("/").slice(0, shared), ...aKey().split("/").slice(shared)].join("/"))

describe("the secret", () => {
  it.live("is created once, readable by the user of the process only, and survives a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const path = join(directory, "secret")
      const now = yield* DateTime.now
      const key = aKey()
      const address = Effect.scoped(
        Effect.flatMap(opened(directory), ({ signDownload }) => signDownload(key, {}, { from: now, until: now }))
      )
      const first = yield* address
      assert.strictEqual((yield* Effect.promise(() => stat(path))).mode & 0o777, 0o600)
      yield* Effect.promise(() => chmod(path, 0o644))
      assert.strictEqual(yield* address, first)
      assert.strictEqual((yield* Effect.promise(() => stat(path))).mode & 0o777, 0o600)
      yield* Effect.promise(() => rm(path))
      assert.notStrictEqual(yield* address, first)
    })
  )

  it.live("is the same for processes that start at once", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const now = yield* DateTime.now
      const key = aKey()
      const storages = yield* Effect.all(
        Array.from({ length: 8 }, () => opened(directory)),
        { concurrency: 8 }
      )
      const addresses = yield* Effect.forEach(storages, ({ signDownload }) =>
        signDownload(key, {}, { from: now, until: now })
      )
      assert.strictEqual(new Set(addresses).size, 1)
      assert.deepEqual(yield* Effect.promise(() => filesIn(directory)), [])
    })
  )

  it.live("can be the host's; a damaged one stops the start", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      yield* opened(directory, "a secret of at least thirty-two bytes")
      assert.notInclude(yield* Effect.promise(() => readdir(directory)), "secret")
      yield* Effect.promise(() => writeFile(join(directory, "secret"), "half"))
      assert.strictEqual((yield* Effect.flip(opened(directory)))._tag, "StorageError")
      assert.strictEqual(yield* Effect.promise(() => readFile(join(directory, "secret"), "utf8")), "half")
    })
  )
})

describe("the folder", () => {
  it.live("has no old leftovers after a start, and keeps files that are being written", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const incoming = join(directory, "incoming")
      const hoursAgo = new Date(DateTime.toEpochMillis(DateTime.subtract(yield* DateTime.now, { hours: 2 })))
      yield* Effect.promise(async () => {
        await mkdir(incoming)
        for (const name of ["old", "young"]) await writeFile(join(incoming, name), "left")
        await utimes(join(incoming, "old"), hoursAgo, hoursAgo)
      })
      yield* opened(directory)
      assert.deepEqual(yield* Effect.promise(() => filesIn(directory)), ["incoming/young"])
    })
  )

  it.live("has no empty folders after deletions, which are idempotent", () =>
    Effect.gen(function* () {
      const { directory, inspect, signUpload, storage } = yield* start()
      const key = aKey()
      const keys = [key, beside(key, 2), beside(key, 1)]
      for (const one of keys) yield* send(urlOf(yield* signUpload(one)), "PUT", pdf, "hello")
      yield* storage.delete(organisationOf(aKey()), keys)
      assert.isTrue(Option.isSome(yield* inspect(key)))
      yield* storage.delete(organisationOf(key), [key])
      assert.deepEqual(yield* inspect(key), Option.none())
      yield* storage.delete(organisationOf(key), keys)
      yield* storage.delete(organisationOf(key), keys)
      assert.deepEqual(yield* Effect.promise(() => readdir(join(directory, "objects"))), [])
    })
  )

  it.live("accepts files while their neighbours are deleted", () =>
    Effect.gen(function* () {
      const { inspect, signUpload, storage } = yield* start()
      const key = aKey()
      // Every deletion also deletes folders that become empty.
      const deletions = Effect.forever(storage.delete(organisationOf(key), [beside(key, 2)]))
      for (const _ of [1, 2, 3, 4]) yield* Effect.forkChild(deletions)
      yield* Effect.forEach(
        Array.from({ length: 200 }, () => beside(key, 2)),
        (one) =>
          Effect.gen(function* () {
            assert.strictEqual((yield* send(urlOf(yield* signUpload(one)), "PUT", pdf, "hello")).status, 201)
            assert.isTrue(Option.isSome(yield* inspect(one)))
            yield* storage.delete(organisationOf(one), [one])
          }),
        { concurrency: 6 }
      )
    })
  )

  it.live("lists the files of one organisation in order, page by page", () =>
    Effect.gen(function* () {
      const { directory, signUpload, storage } = yield* start()
      const key = aKey()
      const organisationId = organisationOf(key)
      const keys = [key, beside(key, 2), beside(key, 1), beside(key, 1)].sort()
      for (const one of [...keys, aKey()]) yield* send(urlOf(yield* signUpload(one)), "PUT", pdf, "hello")
      yield* Effect.promise(() => writeFile(join(directory, "objects", organisationId, "note.txt"), "not ours"))
      const listed: Array<string> = []
      let after: StorageKey | null = null
      for (let hasMore = true; hasMore; ) {
        const page: Page<ListedObject> = yield* storage.list(organisationId, { after, limit: 2 })
        assert.isAtMost(page.items.length, 2)
        listed.push(...page.items.map((item) => item.key))
        after = page.items.at(-1)?.key ?? null
        hasMore = page.hasMore
      }
      assert.deepEqual(listed, keys)
      const { items } = yield* storage.list(organisationId, { after: null, limit: 10 })
      const age =
        DateTime.toEpochMillis(yield* DateTime.now) -
        DateTime.toEpochMillis(items[0]?.modifiedAt ?? DateTime.makeUnsafe(0))
      assert.isBelow(Math.abs(age), 60_000)
      assert.deepEqual(yield* storage.list(organisationOf(aKey()), { after: null, limit: 10 }), {
        items: [],
        hasMore: false
      })
    })
  )

  it.live("that blocks the path of a file makes it unavailable", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      yield* Effect.promise(() => writeFile(join(directory, "objects"), "a file"))
      const failure = yield* Effect.flip(opened(directory))
      assert.deepEqual([failure._tag, failure.code], ["StorageError", "storage_unavailable"])
    })
  )
})
