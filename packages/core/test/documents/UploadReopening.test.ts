import { describe, expect, it } from "@effect/vitest"
import { type DocumentRecord, documentOf, maximumPendingDocuments } from "@solar-sites/core"
import { DateTime } from "effect"
import { withMembers } from "../../src/documents/DocumentKind.ts"
import { findsOfReopening, type Reopening, reopenDocument } from "../../src/documents/UploadRules.ts"
import {
  approved,
  at,
  changed,
  completed,
  decided,
  eventsOf,
  found,
  lapsed,
  later,
  listed,
  origin,
  pending,
  refusal,
  refused,
  rejected,
  uploaded,
  written
} from "./rules.ts"

const full = ["pendingDocuments"]

describe("reopenDocument", () => {
  const reopen = (
    document: DocumentRecord,
    members: Partial<Reopening> = {},
    records: Parameters<typeof found>[2] = {}
  ) => {
    const command = { documentId: document.id, at, addressExpiresAt: later(120), ...members }
    return (...stored: ReadonlyArray<DocumentRecord>) =>
      reopenDocument(command, origin)(found(findsOfReopening(command), stored, records))
  }

  it("makes a lapsed document pending, with its first declared size", () => {
    const document = lapsed({ sizeBytes: 7, declaredBytes: 5, version: 4 })
    const { answer, change } = decided(reopen(document)(document))
    const after = withMembers(document, {
      status: "pending",
      sizeBytes: 5,
      failureReason: null,
      addressExpiresAt: later(120),
      lookAt: later(120),
      updatedAt: at,
      version: 5
    })
    expect(answer).toEqual(documentOf(after))
    expect(change && written(change)).toEqual([["document", document.id, after]])
    expect(change && eventsOf(change)).toEqual([
      [
        "document.reissued",
        document.id,
        {
          status: { from: "failed", to: "pending" },
          sizeBytes: { from: 7, to: 5 },
          failureReason: { from: "late", to: null }
        }
      ]
    ])
  })

  it("prolongs the time of a pending document, which is no change that callers see", () => {
    const document = pending({ version: 4 })
    for (const isRepetition of [false, true]) {
      const { answer, change } = decided(reopen(document, { isRepetition }, { full })(document))
      expect(answer).toEqual(documentOf(document))
      const after = withMembers(document, { addressExpiresAt: later(120), lookAt: later(120) })
      expect(change && written(change)).toEqual([["document", document.id, after]])
      expect(change && eventsOf(change)).toEqual(isRepetition ? [] : [["document.reissued", document.id, {}]])
    }
  })

  it("keeps the last expiry of all addresses", () => {
    for (const document of [pending(), lapsed()]) {
      const [write] = changed(reopen(document, { addressExpiresAt: later(5) })(document)).writes
      expect(write?.after).toMatchObject({ addressExpiresAt: later(60), lookAt: later(60) })
    }
  })

  it("takes a refused file off the list under the claim until that instant alone", () => {
    const claimedUntil = later(30)
    for (const document of [refused({ declaredBytes: 5 }), rejected({ sizeBytes: 7 })]) {
      const file = listed(document, { claimedUntil, dueAt: claimedUntil })
      for (const [members, files] of [
        [{}, [file]],
        [{ claimedUntil: DateTime.add(claimedUntil, { milliseconds: 1 }) }, [file]],
        [{ claimedUntil }, [listed(document)]],
        [{ claimedUntil }, []]
      ] as const) {
        expect(refusal(reopen(document, members, { files })(document))).toBe("FileNotDeleted")
      }
      const change = changed(reopen(document, { claimedUntil }, { files: [file] })(document))
      const { declaredBytes: sizeBytes } = document
      expect(written(change)).toMatchObject([
        ["document", document.id, { status: "pending", refused: false, sizeBytes }],
        ["file", document.id, null]
      ])
    }
  })

  it("refuses an absent document, then the transition, then a full bound, then a refused file", () => {
    expect(refusal(reopen(pending())())).toBe("DocumentNotFound")
    for (const document of [uploaded(), approved(), completed()]) {
      expect(reopen(document, {}, { full })(document)).toMatchObject({
        failure: { _tag: "InvalidTransition", from: document.status, to: "pending" }
      })
    }
    for (const document of [lapsed(), refused(), rejected()]) {
      const repetition = reopen(document, { isRepetition: true }, { full })(document)
      expect(repetition).toMatchObject({ failure: { _tag: "InvalidTransition", allowed: ["pending"] } })
      expect(reopen(document, {}, { full })(document)).toMatchObject({
        failure: { _tag: "TooManyPending", maximum: maximumPendingDocuments }
      })
    }
  })
})
