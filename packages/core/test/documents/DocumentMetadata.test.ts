import { describe, expect, it } from "@effect/vitest"
import {
  CalendarDate,
  ChangeDocumentStatus,
  type DocumentChanges,
  DocumentId,
  documentRecords,
  Records,
  SolarSitesServices
} from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { outcome, services } from "../services.ts"
import { anyDocumentId, bytes, setup } from "./setup.ts"

const day = (text: string) => CalendarDate.make(text)

/** Services over memory. Another caller updates before each of the next `state.changes` commits of an update. */
const overtakenServices = () => {
  const state = { changes: 0 }
  let made = 0
  const adapters = Layer.effectContext(
    Effect.gen(function* () {
      const context = yield* Layer.build(MemoryAdapters.layer)
      const records = Context.get(context, Records)
      const others = yield* Effect.provide(documentRecords, context)
      const commit: typeof records.commit = Effect.fnUntraced(function* (operation, organisationId, change) {
        const [written] = change.writes
        if (operation === "DocumentRepository.update" && written !== undefined && state.changes > 0) {
          state.changes -= 1
          const note = `other change ${++made}`
          yield* Effect.orDie(
            others.update(organisationId, DocumentId.make(written.id), { note }, { at: yield* DateTime.now })
          )
        }
        return yield* records.commit(operation, organisationId, change)
      })
      return Context.add(context, Records, { ...records, commit })
    })
  )
  return { state, layer: SolarSitesServices.layer.pipe(Layer.provideMerge(adapters)) }
}

describe("changing the metadata of a document", () => {
  it.effect("succeeds beside any number of other changes, but in the expected version alone", () => {
    const { layer, state } = overtakenServices()
    return Effect.gen(function* () {
      const { asPerson, documents, issueOne } = yield* setup
      const { documentId } = yield* issueOne({ validFrom: "2026-01-01" })
      const change = (changes: DocumentChanges, versions?: ReadonlyArray<number>) =>
        documents.changeStatus(documentId, changes, versions).pipe(asPerson)
      state.changes = 10
      expect(yield* change({ filename: "plan.pdf" })).toMatchObject({ filename: "plan.pdf", version: 12 })
      state.changes = 10
      expect(yield* change({ validUntil: day("2026-01-01") })).toMatchObject({ validUntil: "2026-01-01", version: 23 })
      state.changes = 1
      expect(yield* Effect.flip(change({ note: "late" }, [23]))).toMatchObject({ _tag: "VersionMismatch", actual: 24 })
    }).pipe(Effect.provide(layer))
  })

  it.effect("sets and clears each member in every status, alone and together with the status", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, send } = yield* setup
      const upload = yield* issueOne({
        documentType: "ppa",
        note: "a",
        validFrom: "2026-01-01",
        validUntil: "2026-12-31"
      })
      const { documentId } = upload
      const change = (input: Record<string, unknown>) =>
        documents.changeStatus(documentId, Schema.decodeUnknownSync(ChangeDocumentStatus)(input)).pipe(asPerson)
      const issued = yield* documents.get(documentId).pipe(asPerson)
      yield* send(upload, bytes(1))
      let version = 1
      for (const status of ["pending", "uploaded", "approved", "completed"] as const) {
        const set = {
          filename: `${status}.pdf`,
          documentType: "epc",
          note: "b\nc",
          validFrom: null,
          validUntil: "2025-01-01"
        }
        const changed = yield* change({ ...set, status })
        expect(changed).toMatchObject({ ...set, status, path: issued.path, version: ++version })
        expect(yield* change(set), "equal values change nothing").toEqual(changed)
        const cleared = yield* change({ documentType: null, note: null, validUntil: null })
        expect(cleared).toMatchObject({ documentType: null, note: null, validUntil: null, version: ++version })
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("refuses a validity that ends before it begins, also against the stored days", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne } = yield* setup
      const { documentId } = yield* issueOne({ validFrom: "2026-02-01", validUntil: "2026-02-28" })
      const change = (changes: DocumentChanges) => documents.changeStatus(documentId, changes).pipe(asPerson)
      const before = yield* documents.get(documentId).pipe(asPerson)
      const pointerOf = (changes: DocumentChanges) =>
        Effect.map(
          Effect.flip(change(changes)),
          (error) => "faults" in error && error.faults.map(({ pointer }) => pointer)
        )
      expect(yield* pointerOf({ validUntil: day("2026-01-31") })).toEqual(["/validUntil"])
      expect(yield* pointerOf({ validFrom: day("2026-03-01") })).toEqual(["/validFrom"])
      expect(yield* documents.get(documentId).pipe(asPerson)).toEqual(before)
      expect(yield* change({ validUntil: day("2026-02-01") }), "one day").toMatchObject({ version: 2 })
      expect(yield* change({ validFrom: null, validUntil: day("2000-02-29") })).toMatchObject({ version: 3 })
    }).pipe(Effect.provide(services))
  )

  it.effect("refuses a filename that the policy refuses, before it looks the document up", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne } = yield* setup
      const { documentId } = yield* issueOne()
      for (const filename of ["", ".", "..", "a/b", "a\\b", "a\u0000", "x".repeat(256)]) {
        for (const id of [documentId, anyDocumentId]) {
          const refused = documents.changeStatus(id, { filename }).pipe(asPerson, Effect.flip)
          expect(yield* refused).toMatchObject({ _tag: "InvalidFilename", faults: [{ pointer: "/filename" }] })
        }
      }
      expect(yield* outcome(documents.changeStatus(anyDocumentId, { note: "x" })).pipe(asPerson)).toBe(
        "DocumentNotFound"
      )
    }).pipe(Effect.provide(services))
  )
})
