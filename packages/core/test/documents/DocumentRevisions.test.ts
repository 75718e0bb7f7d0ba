import { describe, expect, it } from "@effect/vitest"
import { type DocumentId, DocumentStorage, Sites } from "@solar-sites/core"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { outcome, services } from "../services.ts"
import { stoppableServices } from "./latches.ts"
import { anyDocumentId, bytes, setup } from "./setup.ts"

/** The setup, and shorter calls for chains of revisions. */
const chains = Effect.gen(function* () {
  const all = yield* setup
  const { asPerson, documents, issueOne, person, send } = all
  const storage = yield* DocumentStorage
  const get = (id: DocumentId) => documents.get(id).pipe(asPerson)
  const say = (id: DocumentId, status: "uploaded" | "failed" | "approved") =>
    documents.changeStatus(id, { status }).pipe(asPerson)
  const sent = Effect.fnUntraced(function* (file: Record<string, unknown> = {}, fileType = "documents") {
    const upload = yield* issueOne(file, fileType)
    yield* send(upload, bytes(3))
    return upload.documentId
  })
  const uploaded = (file: Record<string, unknown> = {}, fileType = "documents") =>
    Effect.tap(sent(file, fileType), (id) => say(id, "uploaded"))
  const isStored = Effect.fnUntraced(function* (id: DocumentId) {
    return Option.isSome(yield* storage.inspect(person.organisationId, (yield* get(id)).path))
  })
  const revisions = (id: DocumentId) =>
    Effect.map(documents.listRevisions(id).pipe(asPerson), ({ data }) => data.map((revision) => revision.id))
  const current = Effect.map(documents.list({ current: true }).pipe(asPerson), ({ data }) => data.map(({ id }) => id))
  return { ...all, get, say, sent, uploaded, isStored, revisions, current }
})

describe("a document that replaces another one", () => {
  it.effect("takes its place by each way to uploaded, and the second one fails by each way", () =>
    Effect.gen(function* () {
      const { current, documents, get, isStored, revisions, say, sent, uploaded } = yield* chains
      const arrive = {
        said: (id: DocumentId) => outcome(say(id, "uploaded")),
        reported: (id: DocumentId) => Effect.flatMap(get(id), ({ path }) => documents.objectArrived(path)),
        swept: () => TestClock.adjust("2 minutes")
      }
      for (const [way, come] of Object.entries(arrive)) {
        const old = yield* uploaded()
        const first = yield* sent({ replaces: old })
        const second = yield* sent({ replaces: old })
        expect([yield* get(old), yield* revisions(old), yield* revisions(first)], way).toMatchObject([
          { replacedBy: null, version: 2 },
          [old],
          [first, old]
        ])
        yield* say(first, "uploaded")
        const answer = yield* come(second)
        if (way === "said") expect(answer).toBe("AlreadyReplaced")
        expect(yield* get(second), way).toMatchObject({ status: "failed", failureReason: "already_replaced" })
        expect(yield* get(old), way).toMatchObject({ replacedBy: first, version: 3 })
        expect([yield* revisions(old), yield* current], way).toEqual([[first, old], expect.not.arrayContaining([old])])
        yield* TestClock.adjust("5 minutes")
        expect([yield* isStored(first), yield* isStored(second), yield* isStored(old)], way).toEqual([
          true,
          false,
          true
        ])
        const third = yield* sent({ replaces: first })
        yield* come(third)
        expect(yield* get(third), way).toMatchObject({ status: "uploaded", replaces: first })
        expect(yield* revisions(old), way).toEqual([third, first, old])
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("is refused, file by file, when it cannot replace the named document", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issue, issueAs, issueOne, say, uploaded } = yield* chains
      const [old, rejected, pending] = [yield* uploaded(), yield* uploaded(), yield* issueOne()]
      yield* say(rejected, "failed")
      const report = yield* uploaded({}, "om-documents")
      const site = yield* (yield* Sites).create({ siteName: "Other", capacity: 1, unit: "kW" }).pipe(asPerson)
      const issued = yield* issue(
        ...[anyDocumentId, report, rejected, pending.documentId, old, old, null].map((replaces) => ({ replaces }))
      )
      const codes = issued.results.map((result) => (result.success ? "accepted" : result.error.code))
      expect(codes).toEqual([
        "replaces_not_found",
        "replaces_not_found",
        "replaces_not_uploaded",
        "replaces_not_uploaded",
        "accepted",
        "accepted",
        "accepted"
      ])
      expect(issued.summary).toEqual({ total: 7, successful: 3, failed: 4 })
      const elsewhere = yield* documents
        .issueUploads({
          siteId: site.id,
          fileType: "documents",
          files: [{ filename: "a.pdf", mimeType: "application/pdf", replaces: old }]
        })
        .pipe(asPerson)
      expect(elsewhere.results).toMatchObject([{ index: 0, success: false, error: { code: "replaces_not_found" } }])
      yield* uploaded({ replaces: old })
      expect((yield* issueAs("documents", { replaces: old })).results).toMatchObject([
        { success: false, error: { code: "already_replaced" } }
      ])
    }).pipe(Effect.provide(services))
  )

  it.effect("gives the place back when it is rejected or deleted, and a middle one joins its neighbours", () =>
    Effect.gen(function* () {
      const { asPerson, documents, get, current, revisions, say, uploaded } = yield* chains
      const first = yield* uploaded()
      const second = yield* uploaded({ replaces: first })
      const third = yield* uploaded({ replaces: second })
      const fourth = yield* uploaded({ replaces: third })
      yield* say(fourth, "failed")
      expect([yield* current, yield* revisions(first)]).toEqual([[third], [third, second, first]])
      yield* documents.delete(second).pipe(asPerson)
      expect([yield* get(first), yield* get(third)]).toMatchObject([{ replacedBy: third }, { replaces: first }])
      yield* documents.delete(third).pipe(asPerson)
      expect([yield* current, yield* get(fourth)]).toMatchObject([[first], { status: "failed", replaces: first }])
    }).pipe(Effect.provide(services))
  )

  it.effect("is not found when it is deleted while its chain is read", () => {
    const { layer, stopBefore } = stoppableServices()
    return Effect.gen(function* () {
      const { asPerson, documents, uploaded } = yield* chains
      const id = yield* uploaded()
      const slow = yield* stopBefore("DocumentRepository.listRevisions")
      const reading = yield* Effect.forkChild(outcome(documents.listRevisions(id).pipe(asPerson)))
      yield* slow.reached
      yield* documents.delete(id).pipe(asPerson)
      yield* slow.release
      expect(yield* Fiber.join(reading)).toBe("DocumentNotFound")
    }).pipe(Effect.provide(layer))
  })
})
