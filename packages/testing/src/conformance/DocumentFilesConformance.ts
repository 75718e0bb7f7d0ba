/**
 * Inspection, listing and deletion of files in a `DocumentStorage`.
 */
import { DocumentStorage, type OrganisationId } from "@solar-sites/core"
import { DateTime, Duration, Effect, Exit, Option } from "effect"
import { anOrganisationId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { aKey, type FilePorts, holds, holdsNothing, someBytes, stored } from "./DocumentStorageSetup.ts"
import { expectPages } from "./Expectations.ts"

const bytes = someBytes(100)

const storedKeys = (organisationId: OrganisationId, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, () => aKey(organisationId)),
    (key) => Effect.as(stored(organisationId, key, bytes), key)
  )

export const documentFilesCases: ReadonlyArray<ConformanceCase<FilePorts>> = [
  {
    name: "finds nothing where nothing was uploaded",
    check: Effect.gen(function* () {
      const storage = yield* DocumentStorage
      const organisationId = anOrganisationId()
      yield* holdsNothing(organisationId, aKey(organisationId), "a key of nothing")
      const none = yield* storage.list(organisationId, { after: null, limit: 10 })
      assert.deepEqual(none, { items: [], hasMore: false }, "an organisation without files")
    })
  },
  {
    name: "reports the size of a stored file, and its type if it knows one",
    check: Effect.gen(function* () {
      const storage = yield* DocumentStorage
      const organisationId = anOrganisationId()
      for (const [mimeType, size] of [
        ["image/webp", 1],
        ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", 4_097]
      ] as const) {
        const key = aKey(organisationId)
        yield* stored(organisationId, key, someBytes(size), mimeType)
        const found = Option.getOrThrow(yield* storage.inspect(organisationId, key))
        assert.equal(found.sizeBytes, size, "the size in bytes")
        assert.ok(found.mimeType === null || found.mimeType === mimeType, `${mimeType}, not ${found.mimeType}`)
      }
    })
  },
  {
    name: "hides files from every other organisation",
    check: Effect.gen(function* () {
      const storage = yield* DocumentStorage
      const [owner, stranger] = [anOrganisationId(), anOrganisationId()]
      const [key = aKey()] = yield* storedKeys(owner, 1)
      const [other = aKey()] = yield* storedKeys(stranger, 1)
      const seen = yield* Effect.exit(storage.inspect(stranger, key))
      if (Exit.isSuccess(seen)) assert.deepEqual(seen.value, Option.none(), "a stranger sees nothing at the key")
      const { items } = yield* storage.list(stranger, { after: null, limit: 10 })
      assert.deepEqual(
        items.map((item) => item.key),
        [other],
        "a list holds what is the organisation's own"
      )
    })
  },
  {
    name: "lists in ascending order of key, in pages of any size",
    check: Effect.gen(function* () {
      const storage = yield* DocumentStorage
      const organisationId = anOrganisationId()
      const keys = Array.from({ length: 7 }, () => aKey(organisationId))
      for (const index of [3, 0, 6, 5, 1, 4, 2]) yield* stored(organisationId, keys[index] ?? aKey(), bytes)
      yield* storedKeys(anOrganisationId(), 2)
      yield* expectPages(
        (page) =>
          Effect.map(storage.list(organisationId, page), ({ hasMore, items }) => ({
            items: items.map(({ key }) => ({ id: key })),
            hasMore
          })),
        keys.toSorted().map((id) => ({ id }))
      )
      const now = yield* DateTime.now
      const { items } = yield* storage.list(organisationId, { after: null, limit: 10 })
      for (const { modifiedAt } of items) {
        const age = Duration.toMinutes(DateTime.distance(modifiedAt, now))
        assert.ok(Math.abs(age) < 15, `what was uploaded just now is not ${age} minutes old`)
      }
    })
  },
  {
    name: "deletes the files at the keys and ignores absent ones",
    check: Effect.gen(function* () {
      const storage = yield* DocumentStorage
      const organisationId = anOrganisationId()
      const keys = yield* storedKeys(organisationId, 4)
      const [first = aKey(), second = aKey(), third = aKey(), kept = aKey()] = keys
      yield* storage.delete(organisationId, [])
      yield* storage.delete(organisationId, [first])
      yield* storage.delete(organisationId, [first, aKey(organisationId), second, third, second])
      yield* storage.delete(organisationId, [first, second, third])
      for (const key of [first, second, third]) yield* holdsNothing(organisationId, key, "a deleted file")
      yield* holds(organisationId, kept, bytes, "a file that was not named")
      const { items } = yield* storage.list(organisationId, { after: null, limit: 10 })
      assert.deepEqual(
        items.map(({ key }) => key),
        [kept],
        "a list holds what is left"
      )
    })
  },
  {
    name: "deletes many files at once",
    check: Effect.gen(function* () {
      const storage = yield* DocumentStorage
      const organisationId = anOrganisationId()
      const keys = yield* storedKeys(organisationId, 3)
      const absent = Array.from({ length: 1_200 }, () => aKey(organisationId))
      yield* storage.delete(organisationId, [...keys.slice(0, 1), ...absent, ...keys.slice(1)])
      const left = yield* storage.list(organisationId, { after: null, limit: 10 })
      assert.deepEqual(left, { items: [], hasMore: false }, "however many keys are named")
    })
  },
  {
    name: "accepts a new content after the first one was deleted",
    check: Effect.gen(function* () {
      const storage = yield* DocumentStorage
      const organisationId = anOrganisationId()
      const [key = aKey()] = yield* storedKeys(organisationId, 1)
      yield* storage.delete(organisationId, [key])
      yield* stored(organisationId, key, someBytes(300, 2))
      yield* holds(organisationId, key, someBytes(300, 2), "the second content")
    })
  },
  {
    name: "deletes nothing that is another organisation's",
    check: Effect.gen(function* () {
      const storage = yield* DocumentStorage
      const [owner, stranger] = [anOrganisationId(), anOrganisationId()]
      const keys = yield* storedKeys(owner, 2)
      // The storage may reject such a call, but must not execute it.
      yield* Effect.exit(storage.delete(stranger, keys))
      yield* Effect.exit(storage.delete(stranger, [aKey(stranger), ...keys]))
      for (const key of keys) yield* holds(owner, key, bytes, "another organisation's file")
    })
  }
]
