import { describe, expect, it } from "@effect/vitest"
import { DocumentAudit, DocumentStorage, storageKey } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { aPerson, services } from "../services.ts"
import { anyDocumentId, bytes, setup } from "./setup.ts"

const none = { filesWithoutDocument: [], documentsWithoutFile: [] }

describe("DocumentAudit", () => {
  it.effect("finds nothing where every file has its document and every document its file", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, person, send } = yield* setup
      const upload = yield* issueOne()
      yield* issueOne()
      yield* send(upload, bytes(1))
      yield* documents.changeStatus(upload.documentId, { status: "uploaded" }).pipe(asPerson)
      yield* TestClock.adjust("2 hours")
      expect(yield* (yield* DocumentAudit).findOrphans(person.organisationId)).toEqual(none)
    }).pipe(Effect.provide(services))
  )

  it.effect("finds a document without its file, in its own organisation only, and changes nothing", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, person, send } = yield* setup
      const upload = yield* issueOne()
      yield* send(upload, bytes(1))
      const { path } = yield* documents.changeStatus(upload.documentId, { status: "uploaded" }).pipe(asPerson)
      yield* (yield* DocumentStorage).delete(person.organisationId, [path])
      const { findOrphans } = yield* DocumentAudit
      expect(yield* findOrphans(person.organisationId)).toEqual({ ...none, documentsWithoutFile: [path] })
      expect(yield* findOrphans((yield* aPerson).organisationId)).toEqual(none)
      expect(yield* documents.get(upload.documentId).pipe(asPerson)).toMatchObject({ status: "uploaded" })
    }).pipe(Effect.provide(services))
  )

  it.effect("finds no document of an organisation when its file arrives after the files were listed", () =>
    Effect.gen(function* () {
      const storage = yield* DocumentStorage
      const late = Layer.succeed(DocumentStorage, {
        ...storage,
        list: () => Effect.succeed({ items: [], hasMore: false })
      })
      const audit = Layer.build(Layer.fresh(DocumentAudit.layer).pipe(Layer.provide(late)))
      const { findOrphans } = yield* Effect.provide(Effect.service(DocumentAudit), yield* audit)
      for (const _ of ["one organisation", "another one"]) {
        const { asPerson, documents, issueOne, person, send } = yield* setup
        const upload = yield* issueOne()
        yield* send(upload, bytes(1))
        yield* documents.changeStatus(upload.documentId, { status: "uploaded" }).pipe(asPerson)
        expect(yield* findOrphans(person.organisationId)).toEqual(none)
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("finds a file that no document knows once it is an hour old, and leaves it there", () =>
    Effect.gen(function* () {
      const { client, issueOne, person, site } = yield* setup
      const storage = yield* DocumentStorage
      const { uploadUrl } = yield* issueOne()
      const key = storageKey({ organisationId: person.organisationId, siteId: site.id, documentId: anyDocumentId })
      const request = { key, mimeType: "application/pdf", sizeBytes: null, maximumBytes: 100 }
      const validity = { from: site.createdAt, until: uploadUrl.expiresAt }
      const [signed] = yield* storage.signUploads(person.organisationId, [request], validity)
      if (signed === undefined) throw new Error("one address was expected")
      yield* client.put({ url: `${signed.path}?${signed.token}`, headers: signed.headers, body: bytes(1) })
      const { findOrphans } = yield* DocumentAudit
      yield* TestClock.adjust("59 minutes")
      expect(yield* findOrphans(person.organisationId)).toEqual(none)
      yield* TestClock.adjust("2 minutes")
      for (const _ of ["once", "twice"]) {
        expect(yield* findOrphans(person.organisationId)).toEqual({ ...none, filesWithoutDocument: [key] })
      }
    }).pipe(Effect.provide(services))
  )
})
