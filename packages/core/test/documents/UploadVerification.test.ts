import { describe, expect, it } from "@effect/vitest"
import {
  type Document,
  type DocumentCommands,
  DocumentStorage,
  RepositoryError,
  type StoredObject,
  UploadPolicy,
  VersionMismatch
} from "@solar-sites/core"
import { aDocument, documentMethods, MemoryAdapters } from "@solar-sites/testing"
import { DateTime, Effect, Option } from "effect"
import { inspect, resolve } from "../../src/documents/UploadVerification.ts"

const arrived = (object: Partial<StoredObject>): StoredObject => ({
  sizeBytes: 10,
  mimeType: "application/pdf",
  contentCoding: null,
  ...object
})

const declared = (document: Partial<Document> = {}) =>
  aDocument({ mimeType: "application/pdf", sizeBytes: null, ...document })

/** Ports, with this file in storage. */
const portsWith = (object: StoredObject | null) =>
  Effect.gen(function* () {
    const storage = yield* DocumentStorage
    const policy = { ...(yield* UploadPolicy), maximumFileBytes: 10 }
    const inspected = () => Effect.succeed(Option.fromNullOr(object))
    return { commands: yield* documentMethods, storage: { ...storage, inspect: inspected }, policy }
  }).pipe(Effect.provide(MemoryAdapters.layer))

const valid = { _tag: "Valid", sizeBytes: 10 }
const mismatch = (reason: string) => ({ _tag: "Mismatch", reason })
const otherType = mismatch("application/pdf was declared, another media type arrived")
const coded = mismatch("the file was sent with a content coding (the header Content-Encoding)")

describe("a stored file", () => {
  it.effect.each([
    [{}, {}, valid],
    [{ sizeBytes: 10 }, {}, valid],
    [{ sizeBytes: 9 }, {}, mismatch("9 bytes were declared, 10 bytes arrived")],
    [{}, { sizeBytes: 11 }, mismatch("at most 10 bytes are allowed, 11 bytes arrived")],
    [{}, { mimeType: null }, valid],
    [{}, { mimeType: "Application/PDF ; charset=utf-8" }, valid],
    [{}, { mimeType: "text/plain" }, otherType],
    [{}, { mimeType: "" }, otherType],
    [{}, { contentCoding: " Identity " }, valid],
    [{}, { contentCoding: "gzip" }, coded],
    [{}, { contentCoding: "" }, coded]
  ] as const)("is compared with its declaration: %j, %j", ([document, object, expected]) =>
    Effect.gen(function* () {
      expect(yield* inspect(yield* portsWith(arrived(object)), declared(document))).toEqual(expected)
    })
  )

  it.effect("that is absent changes nothing", () =>
    Effect.gen(function* () {
      const document = declared()
      expect(yield* resolve(yield* portsWith(null), document)).toEqual({
        document: Option.some(document),
        inspection: { _tag: "Absent" }
      })
    })
  )
})

describe("a step that another call has overtaken", () => {
  /** Resolves a pending document; steps are refused, and `later` is what is found at the next attempts. */
  const resolved = Effect.fnUntraced(function* (later: ReadonlyArray<Document | null>, document = declared()) {
    const ports = yield* portsWith(arrived({}))
    const steps: Array<number | undefined> = []
    const commands: DocumentCommands = {
      ...ports.commands,
      step: (_, _id, _step, { expectedVersions }) => {
        steps.push(expectedVersions?.[0])
        return Effect.fail(new VersionMismatch({ actual: 0 }))
      },
      findById: (organisationId, id) =>
        Effect.sync(() => {
          expect([organisationId, id]).toEqual([document.organisationId, document.id])
          return Option.fromNullOr(later[Math.min(steps.length, later.length) - 1] ?? null)
        })
    }
    const { document: found, inspection } = yield* resolve({ ...ports, commands }, document)
    expect(inspection).toEqual(valid)
    return { found: Option.getOrNull(found), steps }
  })

  it.effect("is repeated for the new version while the document can receive a file, five times at most", () =>
    Effect.gen(function* () {
      const versions = [2, 3, 4, 5, 6, 7].map((version) => declared({ version, status: "failed" }))
      expect(yield* resolved(versions)).toEqual({ found: versions[4], steps: [1, 2, 3, 4, 5] })
      const createdAt = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
      const recreated = declared({ createdAt })
      expect((yield* resolved([recreated, declared({ version: 9, status: "approved" })])).steps).toEqual([1, 1])
    })
  )

  it.effect("ends when the document is deleted, unchanged, or has its file", () =>
    Effect.gen(function* () {
      const document = declared()
      expect(yield* resolved([null])).toEqual({ found: null, steps: [1] })
      expect(yield* resolved([document], document)).toEqual({ found: document, steps: [1] })
      const uploaded = declared({ version: 2, status: "uploaded" })
      expect(yield* resolved([uploaded])).toEqual({ found: uploaded, steps: [1] })
    })
  )

  it.effect("fails when the repository fails", () =>
    Effect.gen(function* () {
      const ports = yield* portsWith(arrived({}))
      const error = new RepositoryError({ operation: "test", retryable: true, cause: new Error("down") })
      const commands = { ...ports.commands, step: () => Effect.fail(error) }
      expect(yield* Effect.flip(resolve({ ...ports, commands }, declared()))).toBe(error)
    })
  )
})
