import { describe, expect, it } from "@effect/vitest"
import { Documents, IssueUploads, OmRecordDirectory, parseStorageKey, SiteId } from "@solar-sites/core"
import { Effect, Layer, Logger, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { aPerson, as, outcome, services } from "../services.ts"
import { anyDocumentId, breakableServices, bytes, setup } from "./setup.ts"

describe("Documents", () => {
  it.effect("issues an address per file, in order, each with a pending document", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const { asPerson, documents, issue, person, site } = yield* setup
      const { results, summary } = yield* issue({ filename: "a.pdf" }, { filename: "b.txt", mimeType: "Text/Plain" })
      expect(summary).toEqual({ total: 2, successful: 2, failed: 0 })
      expect(results.map(({ filename }) => filename)).toEqual(["a.pdf", "b.txt"])
      for (const result of results) {
        if (!result.success) throw new Error("both files may come")
        const { expiresAt, headers, method, path, token, url } = result.uploadUrl
        const document = yield* documents.get(result.documentId).pipe(asPerson)
        expect(document).toMatchObject({ status: "pending", uploadedBy: person.userId, version: 1, siteId: site.id })
        expect(path.endsWith(`/${document.path}`)).toBe(true)
        expect(parseStorageKey(document.path)).toEqual(
          Option.some({ organisationId: person.organisationId, siteId: site.id, documentId: document.id })
        )
        expect([url, method, expiresAt.epochMilliseconds]).toEqual([`${path}?${token}`, "PUT", 1_060_000])
        expect(Object.keys(headers).map((name) => name.toLowerCase())).not.toContain("content-length")
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("reports why a file is refused, without effect on the others and without a document", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issue } = yield* setup
      const { results, summary } = yield* issue(
        { filename: "../up" },
        {},
        { mimeType: "image/svg+xml" },
        { fileSize: 200 * 1_024 * 1_024 }
      )
      expect(summary).toEqual({ total: 4, successful: 1, failed: 3 })
      expect(results.map((result) => (result.success ? "ok" : [result.index, result.error.code]))).toEqual([
        [0, "invalid_filename"],
        "ok",
        [2, "mime_type_not_allowed"],
        [3, "file_too_large"]
      ])
      expect((yield* documents.list().pipe(asPerson)).data.length).toBe(1)
    }).pipe(Effect.provide(services))
  )

  it.effect("refuses a site of another organisation like an absent one, even when all files are refused", () =>
    Effect.gen(function* () {
      const { documents, site } = yield* setup
      const stranger = yield* aPerson
      for (const siteId of [site.id, SiteId.make(anyDocumentId)]) {
        for (const filename of ["lease.pdf", ""]) {
          const input = Schema.decodeUnknownSync(IssueUploads)({
            siteId,
            fileType: "documents",
            files: [{ filename, mimeType: "application/pdf" }]
          })
          expect(yield* outcome(documents.issueUploads(input)).pipe(as(stranger))).toBe("SiteNotFound")
        }
      }
      expect((yield* documents.list().pipe(as(stranger))).data).toEqual([])
    }).pipe(Effect.provide(services))
  )

  it.effect("asks the host for O&M records, of O&M documents alone", () => {
    const none = Layer.succeed(OmRecordDirectory, { exists: () => Effect.succeed(false) })
    return Effect.gen(function* () {
      const { asPerson, documents, issueAs } = yield* setup
      expect(yield* outcome(issueAs("om-documents", {}))).toBe("OmRecordNotFound")
      expect((yield* documents.list().pipe(asPerson)).data).toEqual([])
      expect((yield* issueAs("documents", {})).summary.successful).toBe(1)
      const [document] = (yield* documents.list().pipe(asPerson)).data
      expect(document?.omRecordId).toBeNull()
    }).pipe(Effect.provide(services.pipe(Layer.provide(none))))
  })

  it.effect("creates no document for a file without a signed address", () => {
    const { layer, state } = breakableServices()
    return Effect.gen(function* () {
      const { asPerson, documents, issue } = yield* setup
      state.down = true
      const { results, summary } = yield* issue({}, { filename: "" })
      expect(summary).toEqual({ total: 2, successful: 0, failed: 2 })
      expect(results.map((result) => !result.success && result.error.code)).toEqual([
        "storage_unavailable",
        "invalid_filename"
      ])
      expect((yield* documents.list().pipe(asPerson)).data).toEqual([])
    }).pipe(Effect.provide(layer))
  })

  it.effect("logs once, and not for each file, that signing of addresses failed", () => {
    const { layer, state } = breakableServices()
    const lines: Array<unknown> = []
    const logger = Logger.layer([Logger.map(Logger.formatStructured, (line) => void lines.push(line))])
    return Effect.gen(function* () {
      const { issue } = yield* setup
      state.down = true
      expect((yield* issue({}, {}, {})).summary.failed).toBe(3)
      expect(lines).toMatchObject([
        {
          level: "WARN",
          message: "signing of upload addresses failed",
          annotations: { operation: "test", cause: "down" }
        }
      ])
    }).pipe(Effect.provide(layer), Effect.provide(logger))
  })

  it.effect("hides documents from other organisations in everything it does", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issueOne, send } = yield* setup
      const upload = yield* issueOne()
      yield* send(upload, bytes(3))
      const { documentId } = upload
      yield* documents.changeStatus(documentId, { status: "uploaded" }).pipe(asPerson)
      const stranger = yield* aPerson
      const attempts = [
        outcome(documents.get(documentId)),
        outcome(documents.downloadUrl(documentId)),
        outcome(documents.reissueUpload(documentId)),
        outcome(documents.changeStatus(documentId, { status: "approved" })),
        outcome(documents.delete(documentId))
      ]
      for (const attempt of attempts) expect(yield* attempt.pipe(as(stranger))).toBe("DocumentNotFound")
      expect((yield* documents.list().pipe(as(stranger))).data).toEqual([])
      expect(yield* documents.get(documentId).pipe(asPerson)).toMatchObject({ status: "uploaded", version: 2 })
    }).pipe(Effect.provide(services))
  )

  it.effect("signs downloads for five minutes, of files that have arrived", () =>
    Effect.gen(function* () {
      const { asPerson, client, documents, issueOne, send } = yield* setup
      const upload = yield* issueOne({ filename: "Pachtvertrag Müller.pdf" })
      expect(yield* outcome(documents.downloadUrl(upload.documentId)).pipe(asPerson)).toBe("UploadNotFound")
      yield* send(upload, bytes(1_000))
      yield* documents.changeStatus(upload.documentId, { status: "uploaded" }).pipe(asPerson)
      const { expiresAt, url } = yield* documents.downloadUrl(upload.documentId).pipe(asPerson)
      expect(expiresAt.epochMilliseconds).toBe(300_000)
      const { body, headers, status } = yield* client.get(url)
      expect([status, body]).toEqual([200, bytes(1_000)])
      expect(headers["content-disposition"]).toContain("filename*=UTF-8''Pachtvertrag%20M%C3%BCller.pdf")
      yield* TestClock.adjust("301 seconds")
      expect((yield* client.get(url)).status).toBe(403)
    }).pipe(Effect.provide(services))
  )

  it.effect("verifies reported files, also repeatedly, and ignores paths without a document", () =>
    Effect.gen(function* () {
      const { asPerson, issueOne, send } = yield* setup
      const documents = yield* Documents
      const upload = yield* issueOne({ fileSize: 3 })
      const { path } = yield* documents.get(upload.documentId).pipe(asPerson)
      yield* documents.objectArrived(path)
      expect(yield* documents.get(upload.documentId).pipe(asPerson)).toMatchObject({ status: "pending", version: 1 })
      yield* send(upload, bytes(3))
      for (const said of ["", "nonsense", `${path}/..`, path.replace(upload.documentId, anyDocumentId), path, path]) {
        yield* documents.objectArrived(said)
      }
      expect(yield* documents.get(upload.documentId).pipe(asPerson)).toMatchObject({
        status: "uploaded",
        sizeBytes: 3,
        version: 2
      })
    }).pipe(Effect.provide(services))
  )
})
