import { describe, expect, it } from "@effect/vitest"
import { DocumentStorage, maximumPendingDocuments, SolarSitesServices, type StoredObject } from "@solar-sites/core"
import { aDocument, documentMethods, MemoryAdapters } from "@solar-sites/testing"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { outcome, services } from "../services.ts"
import { bytes, setup } from "./setup.ts"

describe("changing the status of a document", () => {
  it.effect("leads from pending over uploaded and approved to completed", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, send } = yield* setup
      const upload = yield* issueOne()
      const say = (status: "uploaded" | "approved" | "completed") =>
        documents.changeStatus(upload.documentId, { status }).pipe(asPerson)
      expect(yield* outcome(say("uploaded"))).toBe("UploadNotFound")
      expect(yield* outcome(say("approved"))).toBe("InvalidTransition")
      yield* send(upload, bytes(7))
      expect(yield* say("uploaded")).toMatchObject({ status: "uploaded", sizeBytes: 7, version: 2 })
      expect(yield* say("uploaded"), "said twice").toMatchObject({ version: 2 })
      expect(yield* say("approved")).toMatchObject({ version: 3 })
      for (const nothing of [{}, { reason: "read" }, { status: "approved", reason: "read" }] as const) {
        expect(yield* documents.changeStatus(upload.documentId, nothing).pipe(asPerson)).toMatchObject({ version: 3 })
      }
      expect(yield* say("completed")).toMatchObject({ version: 4 })
      expect(yield* Effect.flip(say("uploaded"))).toMatchObject({ from: "completed", to: "uploaded", allowed: [] })
    }).pipe(Effect.provide(services))
  )

  it.effect("keeps the reason of a rejection, and takes no other word for failed", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, send } = yield* setup
      const upload = yield* issueOne()
      const reject = (reason: string) =>
        documents.changeStatus(upload.documentId, { status: "failed", reason }).pipe(asPerson)
      expect(yield* outcome(reject("never came")), "only verification finds that nothing arrived").toBe(
        "InvalidTransition"
      )
      yield* send(upload, bytes(1))
      yield* documents.changeStatus(upload.documentId, { status: "uploaded" }).pipe(asPerson)
      const rejected = yield* reject("page 3 is missing")
      expect(rejected).toMatchObject({ status: "failed", failureReason: "page 3 is missing", version: 3 })
      expect(yield* reject("page 3 is missing")).toEqual(rejected)
      expect(yield* outcome(reject("something else"))).toBe("InvalidTransition")
      const toPending = documents.changeStatus(upload.documentId, { status: "pending" }).pipe(asPerson)
      expect(yield* Effect.flip(toPending)).toMatchObject({ from: "failed", to: "pending", allowed: [] })
    }).pipe(Effect.provide(services))
  )

  it.effect("looks at the file only for a document that becomes uploaded", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, send } = yield* setup
      const [approved, rejected] = [yield* issueOne(), yield* issueOne()]
      for (const upload of [approved, rejected]) {
        yield* send(upload, bytes(1))
        const { organisationId, path } = yield* documents
          .changeStatus(upload.documentId, { status: "uploaded" })
          .pipe(asPerson)
        yield* (yield* DocumentStorage).delete(organisationId, [path])
      }
      const change = (upload: typeof approved, status: "uploaded" | "approved" | "failed") =>
        documents.changeStatus(upload.documentId, { status }).pipe(asPerson)
      expect(yield* change(approved, "approved")).toMatchObject({ status: "approved" })
      expect(yield* outcome(change(approved, "uploaded"))).toBe("InvalidTransition")
      expect(yield* change(rejected, "failed")).toMatchObject({ failureReason: "rejected" })
      expect(yield* outcome(change(rejected, "uploaded"))).toBe("InvalidTransition")
    }).pipe(Effect.provide(services))
  )

  it.effect("refuses a second replacement of a document, also when the file of the new one is gone", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, send } = yield* setup
      const replaced = yield* issueOne()
      const change = (upload: typeof replaced, status: "uploaded" | "approved") =>
        documents.changeStatus(upload.documentId, { status }).pipe(asPerson)
      yield* send(replaced, bytes(1))
      yield* change(replaced, "uploaded")
      const successor = issueOne({ replaces: replaced.documentId })
      const [first, second] = [yield* successor, yield* successor]
      for (const upload of [first, second]) yield* send(upload, bytes(1))
      yield* change(first, "uploaded")
      expect(yield* outcome(change(second, "uploaded"))).toBe("AlreadyReplaced")
      const { organisationId, path } = yield* documents.get(second.documentId).pipe(asPerson)
      yield* (yield* DocumentStorage).delete(organisationId, [path])
      expect(yield* outcome(change(second, "uploaded"))).toBe("AlreadyReplaced")
      expect(yield* outcome(change(second, "approved"))).toBe("InvalidTransition")
    }).pipe(Effect.provide(services))
  )

  it.effect("refuses what arrived in another length than declared, and leaves it to the sweeper", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, send, sendLoosely } = yield* setup
      const upload = yield* issueOne({ fileSize: 5 })
      expect(yield* send(upload, bytes(4)), "the address itself is bound to the length").toBe(false)
      expect(yield* sendLoosely(upload, bytes(4))).toBe(true)
      const said = documents.changeStatus(upload.documentId, { status: "uploaded" }).pipe(asPerson)
      expect(yield* Effect.flip(said)).toMatchObject({
        _tag: "UploadMismatch",
        reason: "5 bytes were declared, 4 bytes arrived"
      })
      expect(yield* documents.get(upload.documentId).pipe(asPerson)).toMatchObject({ status: "pending", version: 1 })
    }).pipe(Effect.provide(services))
  )

  it.effect("refuses what arrived with a content coding, and leaves it to the sweeper", () => {
    const adapters = Layer.effectContext(
      Effect.map(Layer.build(MemoryAdapters.layer), (context) => {
        const storage = Context.get(context, DocumentStorage)
        const coded = Option.map((object: StoredObject) => ({ ...object, contentCoding: "gzip" }))
        const inspect = (...where: Parameters<typeof storage.inspect>) => Effect.map(storage.inspect(...where), coded)
        return Context.add(context, DocumentStorage, { ...storage, inspect })
      })
    )
    return Effect.gen(function* () {
      const { asPerson, documents, issueOne, send } = yield* setup
      const upload = yield* issueOne()
      yield* send(upload, bytes(4))
      const said = documents.changeStatus(upload.documentId, { status: "uploaded" }).pipe(asPerson)
      expect(yield* outcome(said)).toBe("UploadMismatch")
      yield* TestClock.adjust("2 minutes")
      expect(yield* documents.get(upload.documentId).pipe(asPerson)).toMatchObject({
        status: "failed",
        failureReason: "the file was sent with a content coding (the header Content-Encoding)"
      })
    }).pipe(Effect.provide(SolarSitesServices.layer.pipe(Layer.provideMerge(adapters))))
  })

  it.effect("changes only the version that the writer has seen", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, send } = yield* setup
      const upload = yield* issueOne()
      yield* send(upload, bytes(1))
      const say = (versions: ReadonlyArray<number>) =>
        documents.changeStatus(upload.documentId, { status: "uploaded" }, versions).pipe(asPerson)
      expect(yield* Effect.flip(say([2]))).toMatchObject({ _tag: "VersionMismatch", actual: 1 })
      expect(yield* say([1])).toMatchObject({ version: 2 })
      expect(yield* outcome(documents.delete(upload.documentId, [1])).pipe(asPerson)).toBe("VersionMismatch")
    }).pipe(Effect.provide(services))
  )

  it.effect("issues the address of a rejected document anew: the old file goes, another length may come", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, send } = yield* setup
      const upload = yield* issueOne({ fileSize: 4 })
      yield* send(upload, bytes(4))
      const { documentId } = upload
      yield* documents.changeStatus(documentId, { status: "uploaded" }).pipe(asPerson)
      yield* documents.changeStatus(documentId, { status: "failed", reason: "unreadable" }).pipe(asPerson)
      yield* TestClock.adjust("2 minutes")
      const again = yield* documents.reissueUpload(documentId).pipe(asPerson)
      expect(again.documentId).toBe(documentId)
      expect(yield* documents.get(documentId).pipe(asPerson)).toMatchObject({
        status: "pending",
        failureReason: null,
        sizeBytes: null
      })
      expect(yield* send(again, bytes(9))).toBe(true)
      expect(yield* documents.changeStatus(documentId, { status: "uploaded" }).pipe(asPerson)).toMatchObject({
        sizeBytes: 9
      })
    }).pipe(Effect.provide(services))
  )

  it.effect("keeps the file of a rejected document when too many pending documents refuse a new address", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, send, site } = yield* setup
      const upload = yield* issueOne()
      yield* send(upload, bytes(4))
      const { documentId } = upload
      yield* documents.changeStatus(documentId, { status: "uploaded" }).pipe(asPerson)
      const { organisationId, path } = yield* documents.changeStatus(documentId, { status: "failed" }).pipe(asPerson)
      const pending = Array.from({ length: maximumPendingDocuments }, () =>
        aDocument({ organisationId, siteId: site.id })
      )
      const expiresAt = DateTime.add(yield* DateTime.now, { hours: 1 })
      yield* (yield* documentMethods).insertMany(organisationId, site.id, pending, expiresAt)
      expect(yield* outcome(documents.reissueUpload(documentId)).pipe(asPerson)).toBe("TooManyPending")
      expect(yield* (yield* DocumentStorage).inspect(organisationId, path)).toMatchObject({ _tag: "Some" })
    }).pipe(Effect.provide(services))
  )

  it.effect("marks a pending document with a stored file as uploaded instead of issuing a new address", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, send } = yield* setup
      const upload = yield* issueOne()
      const again = yield* documents.reissueUpload(upload.documentId).pipe(asPerson)
      expect(yield* send(again, bytes(2)), "the new address works while the document is pending").toBe(true)
      const refusal = yield* documents.reissueUpload(upload.documentId).pipe(Effect.flip, asPerson)
      expect(refusal).toMatchObject({ _tag: "InvalidTransition", from: "uploaded" })
      expect(yield* documents.get(upload.documentId).pipe(asPerson)).toMatchObject({ status: "uploaded", sizeBytes: 2 })
    }).pipe(Effect.provide(services))
  )

  it.effect("makes the latest uploaded cover image the site's, until it is detached", () =>
    Effect.gen(function* () {
      const { asPerson, client, documents, issueOne, send, site, sites } = yield* setup
      const cover = yield* issueOne({ filename: "a.png", mimeType: "image/png" }, "coverImage")
      yield* send(cover, bytes(10))
      expect((yield* sites.get(site.id).pipe(asPerson)).coverImageUrl).toBeNull()
      yield* documents.changeStatus(cover.documentId, { status: "uploaded" }).pipe(asPerson)
      const covered = yield* sites.get(site.id).pipe(asPerson)
      expect(covered.version).toBe(2)
      expect((yield* client.get(covered.coverImageUrl ?? "")).body).toEqual(bytes(10))
      const sentBack = yield* sites.update(site.id, { coverImageUrl: covered.coverImageUrl }).pipe(asPerson)
      expect(sentBack).toEqual(covered)
      expect((yield* sites.list().pipe(asPerson)).data).toEqual([covered])
      const detached = yield* sites.update(site.id, { coverImageUrl: null }).pipe(asPerson)
      expect(detached).toMatchObject({ coverImageUrl: null, version: 3 })
    }).pipe(Effect.provide(services))
  )
})
