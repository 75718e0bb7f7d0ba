import { describe, expect, it } from "@effect/vitest"
import { DocumentMaintenance, DocumentStorage, DocumentSweeper } from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { services } from "../services.ts"
import { stoppableServices } from "./latches.ts"
import { breakableServices, bytes, setup } from "./setup.ts"

const nothing = { uploaded: 0, failed: 0, waiting: 0, unsettled: 0, filesDeleted: 0, more: false }

describe("DocumentSweeper", () => {
  it.effect("finds an upload by itself within a minute and a half of the issue of its address", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, send } = yield* setup
      const upload = yield* issueOne()
      yield* TestClock.adjust("30 seconds")
      yield* send(upload, bytes(3))
      // The sweeper runs in the background.
      yield* TestClock.adjust("1 minute")
      expect(yield* documents.get(upload.documentId).pipe(asPerson)).toMatchObject({ status: "uploaded", sizeBytes: 3 })
    }).pipe(Effect.provide(services))
  )

  it.effect("waits for a late file until the grace period ends", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, send } = yield* setup
      const upload = yield* issueOne()
      yield* TestClock.adjust("59 seconds")
      yield* send(upload, bytes(3))
      yield* TestClock.adjust("14 minutes")
      expect(yield* documents.get(upload.documentId).pipe(asPerson)).toMatchObject({ status: "uploaded" })
    }).pipe(Effect.provide(services))
  )

  it.effect("fails what never arrived when the grace period ends, not before", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne } = yield* setup
      const upload = yield* issueOne()
      yield* TestClock.adjust("15 minutes")
      expect(yield* documents.get(upload.documentId).pipe(asPerson)).toMatchObject({ status: "pending" })
      yield* TestClock.adjust("2 minutes")
      expect(yield* documents.get(upload.documentId).pipe(asPerson)).toMatchObject({
        status: "failed",
        failureReason: "nothing arrived before the upload address lapsed"
      })
    }).pipe(Effect.provide(services))
  )

  it.effect("gives no document up whose file arrives after the last look at it", () => {
    const { layer, stopBefore } = stoppableServices()
    return Effect.gen(function* () {
      const { asPerson, documents, issueOne, sendLoosely } = yield* setup
      const { documentId, ...upload } = yield* issueOne()
      yield* TestClock.adjust("15 minutes")
      const givesUp = yield* stopBefore("DocumentStorage.findUploading")
      yield* TestClock.adjust("2 minutes")
      yield* givesUp.reached
      const uploadUrl = { ...upload.uploadUrl, expiresAt: DateTime.makeUnsafe("2100-01-01T00:00:00Z") }
      yield* sendLoosely({ ...upload, documentId, uploadUrl }, bytes(3))
      yield* documents.changeStatus(documentId, { status: "uploaded" }).pipe(asPerson)
      yield* givesUp.release
      yield* TestClock.adjust("2 minutes")
      expect(yield* documents.get(documentId).pipe(asPerson)).toMatchObject({ status: "uploaded", version: 2 })
    }).pipe(Effect.provide(layer))
  })

  it.effect("deletes what contradicts its declaration, and fails the document", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, person, sendLoosely } = yield* setup
      const storage = yield* DocumentStorage
      const upload = yield* issueOne({ fileSize: 5 })
      const { path: key } = yield* documents.get(upload.documentId).pipe(asPerson)
      yield* sendLoosely(upload, bytes(4))
      yield* TestClock.adjust("90 seconds")
      expect(yield* documents.get(upload.documentId).pipe(asPerson)).toMatchObject({
        status: "failed",
        failureReason: "5 bytes were declared, 4 bytes arrived",
        sizeBytes: 5
      })
      expect(yield* storage.inspect(person.organisationId, key)).toEqual(Option.none())
    }).pipe(Effect.provide(services))
  )

  it.effect("deletes the files of deleted documents and sites, once more after late uploads", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, person, send, site, sites } = yield* setup
      const storage = yield* DocumentStorage
      const [first, second] = [yield* issueOne(), yield* issueOne()]
      const keys = yield* Effect.forEach([first, second], ({ documentId }) =>
        Effect.map(documents.get(documentId), ({ path }) => path)
      ).pipe(asPerson)
      yield* send(first, bytes(1))
      yield* documents.delete(first.documentId).pipe(asPerson)
      yield* sites.delete(site.id).pipe(asPerson)
      yield* TestClock.adjust("20 seconds")
      const left = Effect.forEach(keys, (key) => Effect.map(storage.inspect(person.organisationId, key), Option.isSome))
      expect(yield* left).toEqual([false, false])
      // The address of the second file still holds: what comes late goes as well.
      expect(yield* send(second, bytes(2))).toBe(true)
      expect(yield* left).toEqual([false, true])
      yield* TestClock.adjust("20 minutes")
      expect(yield* left).toEqual([false, false])
      expect(yield* (yield* DocumentSweeper).sweep).toEqual(nothing)
    }).pipe(Effect.provide(services))
  )

  it.effect("forgets the deleted files of each organisation after the last deletion", () =>
    Effect.gen(function* () {
      for (const _ of ["one organisation", "another one"]) {
        const { asPerson, documents, issueOne, send } = yield* setup
        const upload = yield* issueOne()
        yield* send(upload, bytes(1))
        yield* documents.delete(upload.documentId).pipe(asPerson)
      }
      yield* TestClock.adjust("1 hour")
      const tomorrow = DateTime.add(yield* DateTime.now, { days: 1 })
      expect(yield* (yield* DocumentMaintenance).findDue({ now: tomorrow, limit: 10 })).toEqual([])
    }).pipe(Effect.provide(services))
  )

  it.effect("goes on when storage comes back, and has lost nothing meanwhile", () => {
    const { layer, state } = breakableServices()
    return Effect.gen(function* () {
      const { asPerson, documents, issueOne, send } = yield* setup
      const [upload, doomed] = [yield* issueOne(), yield* issueOne()]
      yield* send(upload, bytes(1))
      yield* send(doomed, bytes(1))
      yield* documents.delete(doomed.documentId).pipe(asPerson)
      state.down = true
      yield* TestClock.adjust("1 hour")
      expect(yield* documents.get(upload.documentId).pipe(asPerson), "never failed unseen").toMatchObject({
        status: "pending"
      })
      state.down = false
      yield* TestClock.adjust("2 minutes")
      expect(yield* documents.get(upload.documentId).pipe(asPerson)).toMatchObject({ status: "uploaded" })
    }).pipe(Effect.provide(layer))
  })

  it.effect("does nothing while there is nothing to do", () =>
    Effect.gen(function* () {
      expect(yield* (yield* DocumentSweeper).sweep).toEqual(nothing)
    }).pipe(Effect.provide(services))
  )
})
