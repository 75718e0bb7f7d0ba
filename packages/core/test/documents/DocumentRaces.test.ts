import { describe, expect, it } from "@effect/vitest"
import { type DocumentId, DocumentStorage, SolarSitesServices, type StorageKey, withSeededIds } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Context, DateTime, Effect, Fiber, Layer, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import { outcome, services } from "../services.ts"
import { elsewhere, stoppableServices } from "./latches.ts"
import { anyDocumentId, bytes, setup } from "./setup.ts"

/** The setup, and what lies in storage for a document. */
const filed = Effect.gen(function* () {
  const all = yield* setup
  const { asPerson, documents, person } = all
  const storage = yield* DocumentStorage
  const sizeOf = (id: DocumentId) =>
    Effect.gen(function* () {
      const { path } = yield* documents.get(id).pipe(asPerson)
      return Option.getOrNull(yield* storage.inspect(person.organisationId, path))?.sizeBytes ?? null
    })
  const say = (id: DocumentId, status: "uploaded" | "failed", reason?: string) =>
    documents.changeStatus(id, { status, ...(reason === undefined ? {} : { reason }) }).pipe(asPerson)
  const get = (id: DocumentId) => documents.get(id).pipe(asPerson)
  const reissue = (id: DocumentId) => documents.reissueUpload(id).pipe(asPerson)
  return { ...all, get, reissue, say, sizeOf }
})

describe("a file of a document", () => {
  it.effect("stays when its document was deleted before, and made again by a repeated request", () =>
    Effect.gen(function* () {
      const { asPerson, documents, get, issueOne, send, sizeOf } = yield* filed
      const request = withSeededIds(anyDocumentId)(issueOne())
      const first = yield* request
      yield* send(first, bytes(5))
      yield* documents.delete(first.documentId).pipe(asPerson)
      const again = yield* request
      expect(again.documentId).toBe(first.documentId)
      expect(yield* get(again.documentId), "nothing of the deleted document").toMatchObject({ status: "pending" })
      expect(yield* sizeOf(again.documentId)).toBeNull()
      expect(yield* send(again, bytes(3))).toBe(true)
      yield* TestClock.adjust("1 hour")
      expect(yield* get(again.documentId)).toMatchObject({ status: "uploaded", sizeBytes: 3 })
      expect(yield* sizeOf(again.documentId), "it is there").toBe(3)
    }).pipe(Effect.provide(services))
  )

  it.effect("gets no later address from a repeated request once it is uploaded", () =>
    Effect.gen(function* () {
      const { asPerson, documents, get, issueOne, say, send, sendLoosely } = yield* filed
      const request = withSeededIds(anyDocumentId)(issueOne())
      const first = yield* request
      yield* send(first, bytes(5))
      yield* say(first.documentId, "uploaded")
      const { path } = yield* get(first.documentId)
      yield* TestClock.adjust("1 hour")
      const again = yield* request
      expect(again.uploadUrl.expiresAt).toEqual(first.uploadUrl.expiresAt)
      yield* documents.delete(first.documentId).pipe(asPerson)
      expect(yield* sendLoosely(again, bytes(3), path), "the address is over").toBe(false)
    }).pipe(Effect.provide(services))
  )

  it.effect("stays while its address was issued six times at once", () => {
    const { layer, stopBefore } = stoppableServices()
    return Effect.gen(function* () {
      const { get, issueOne, reissue, say, send, sizeOf } = yield* filed
      const upload = yield* issueOne()
      const id = upload.documentId
      yield* send(upload, bytes(5))
      yield* say(id, "uploaded")
      yield* say(id, "failed", "unreadable")
      const slow = yield* stopBefore("DocumentStorage.delete")
      const issued = yield* Effect.forkChild(Effect.result(reissue(id)))
      yield* slow.reached
      const others = yield* Effect.forEach([1, 2, 3, 4, 5], () => Effect.forkChild(Effect.result(reissue(id))))
      // As long as the others wait for each other.
      yield* TestClock.adjust("3 seconds")
      const results = yield* Effect.forEach(others, Fiber.join)
      let taken = false
      for (const { success } of results.filter(Result.isSuccess)) taken = (yield* send(success, bytes(3))) || taken
      yield* slow.release
      const last = yield* Fiber.join(issued)
      if (!taken && Result.isSuccess(last)) taken = yield* send(last.success, bytes(3))
      expect(taken, "one of the addresses takes a file").toBe(true)
      yield* TestClock.adjust("1 hour")
      expect(yield* get(id)).toMatchObject({ status: "uploaded", sizeBytes: 3 })
      expect(yield* sizeOf(id)).toBe(3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("does not come back when it is rejected while its address is issued again", () => {
    const { layer, stopAfter } = stoppableServices()
    return Effect.gen(function* () {
      const { get, issueOne, reissue, say, send, sizeOf } = yield* filed
      const upload = yield* issueOne()
      const id = upload.documentId
      yield* send(upload, bytes(5))
      yield* say(id, "uploaded")
      const read = yield* stopAfter("DocumentRepository.findById")
      const issued = yield* Effect.forkChild(Effect.result(reissue(id)))
      yield* read.reached
      yield* say(id, "failed", "unreadable")
      yield* read.release
      const again = yield* Fiber.join(issued)
      if (Result.isSuccess(again)) {
        expect(yield* sizeOf(id), "what was rejected is gone").toBeNull()
        expect(yield* send(again.success, bytes(3))).toBe(true)
        expect(yield* say(id, "uploaded")).toMatchObject({ sizeBytes: 3 })
      } else {
        expect(yield* get(id)).toMatchObject({ status: "failed", failureReason: "unreadable" })
      }
    }).pipe(Effect.provide(layer))
  })

  it.effect("is not deleted by a look at what lay there before", () => {
    const { layer, stopAfter } = stoppableServices()
    return Effect.gen(function* () {
      const { documents, get, issueOne, reissue, send, sendLoosely, sizeOf } = yield* filed
      const upload = yield* issueOne({ fileSize: 5 })
      const id = upload.documentId
      const { path } = yield* get(id)
      yield* sendLoosely(upload, bytes(4))
      const looked = yield* stopAfter("DocumentStorage.inspect")
      const slow = yield* Effect.forkChild(documents.objectArrived(path))
      yield* looked.reached
      yield* documents.objectArrived(path)
      const again = yield* reissue(id)
      expect(yield* send(again, bytes(5))).toBe(true)
      yield* looked.release
      yield* Fiber.join(slow)
      yield* TestClock.adjust("1 hour")
      expect(yield* get(id)).toMatchObject({ status: "uploaded" })
      expect(yield* sizeOf(id)).toBe(5)
    }).pipe(Effect.provide(layer))
  })

  it.effect("that is gone again makes nothing uploaded", () => {
    const { layer, stopAfter } = stoppableServices()
    return Effect.gen(function* () {
      const { get, issueOne, reissue, say, send } = yield* filed
      const upload = yield* issueOne()
      const id = upload.documentId
      yield* send(upload, bytes(5))
      const looked = yield* stopAfter("DocumentStorage.inspect")
      const slow = yield* Effect.forkChild(outcome(say(id, "uploaded")))
      yield* looked.reached
      yield* say(id, "uploaded")
      yield* say(id, "failed", "unreadable")
      yield* reissue(id)
      yield* looked.release
      expect(yield* Fiber.join(slow)).toBe("UploadNotFound")
      expect(yield* get(id)).toMatchObject({ status: "pending", sizeBytes: null })
    }).pipe(Effect.provide(layer))
  })

  it.effect("that comes after its document was given up is uploaded, by every way", () =>
    Effect.gen(function* () {
      const { asPerson, documents, get, issueOne, say, sendLoosely, reissue } = yield* filed
      const uploads = [yield* issueOne(), yield* issueOne(), yield* issueOne()] as const
      yield* TestClock.adjust("20 minutes")
      for (const { documentId } of uploads) {
        expect(yield* get(documentId)).toMatchObject({ status: "failed" })
        expect(yield* outcome(say(documentId, "uploaded")), "nothing came").toBe("InvalidTransition")
      }
      // What a storage takes that judges an upload when it begins.
      const late = { expiresAt: DateTime.makeUnsafe("2100-01-01T00:00:00Z") }
      for (const upload of uploads) {
        const uploadUrl = { ...upload.uploadUrl, ...late }
        expect(yield* sendLoosely({ ...upload, uploadUrl }, bytes(3))).toBe(true)
      }
      const [reported, said, reissued] = uploads
      yield* documents.objectArrived((yield* get(reported.documentId)).path)
      yield* say(said.documentId, "uploaded")
      expect(yield* outcome(reissue(reissued.documentId)).pipe(asPerson)).toBe("InvalidTransition")
      for (const { documentId } of uploads) {
        expect(yield* get(documentId)).toMatchObject({ status: "uploaded", sizeBytes: 3, failureReason: null })
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("is not given up, nor forgotten when it is to be deleted, while it is being uploaded", () => {
    const uploading = new Set<StorageKey>()
    const adapters = Layer.effectContext(
      Effect.map(Layer.build(MemoryAdapters.layer), (context) =>
        Context.add(context, DocumentStorage, {
          ...Context.get(context, DocumentStorage),
          findUploading: (organisationId, keys) =>
            Effect.sync(() => new Set(keys.filter((key) => key.startsWith(organisationId) && uploading.has(key))))
        })
      )
    )
    const begun = Effect.gen(function* () {
      const all = yield* filed
      const [awaited, deleted] = [yield* all.issueOne(), yield* all.issueOne()]
      const keys = [(yield* all.get(awaited.documentId)).path, (yield* all.get(deleted.documentId)).path] as const
      for (const key of keys) uploading.add(key)
      yield* all.documents.delete(deleted.documentId).pipe(all.asPerson)
      return { ...all, awaited, keys }
    })
    return Effect.gen(function* () {
      const storage = yield* DocumentStorage
      const organisations = [yield* begun, yield* begun]
      yield* TestClock.adjust("2 hours")
      for (const { awaited, get, keys, sendLoosely } of organisations) {
        expect(yield* get(awaited.documentId)).toMatchObject({ status: "pending" })
        const uploadUrl = { ...awaited.uploadUrl, expiresAt: DateTime.makeUnsafe("2100-01-01T00:00:00Z") }
        for (const key of keys) expect(yield* sendLoosely({ ...awaited, uploadUrl }, bytes(3), key)).toBe(true)
      }
      uploading.clear()
      yield* TestClock.adjust("2 minutes")
      for (const { awaited, get, keys, person } of organisations) {
        expect(yield* get(awaited.documentId)).toMatchObject({ status: "uploaded" })
        const left = keys.map((key) => Effect.map(storage.inspect(person.organisationId, key), Option.isSome))
        expect(yield* Effect.all(left)).toEqual([true, false])
      }
    }).pipe(Effect.provide(SolarSitesServices.layer.pipe(Layer.provideMerge(adapters))))
  })

  it.effect("is rejected once: a second reason is refused, also at the same time", () => {
    const { layer, stopBefore } = stoppableServices()
    return Effect.gen(function* () {
      const { get, issueOne, say, send } = yield* filed
      for (const [second, expected] of [
        ["illegible", "InvalidTransition"],
        ["unreadable", "accepted"],
        [undefined, "accepted"]
      ] as const) {
        const upload = yield* issueOne()
        const id = upload.documentId
        yield* send(upload, bytes(5))
        yield* say(id, "uploaded")
        const slow = yield* stopBefore("DocumentRepository.step")
        const other = yield* Effect.forkChild(elsewhere(outcome(say(id, "failed", second))))
        yield* slow.reached
        yield* say(id, "failed", "unreadable")
        yield* slow.release
        expect(yield* Fiber.join(other), `after ${second}`).toBe(expected)
        expect(yield* get(id)).toMatchObject({ failureReason: "unreadable", version: 3 })
      }
    }).pipe(Effect.provide(layer))
  })
})
