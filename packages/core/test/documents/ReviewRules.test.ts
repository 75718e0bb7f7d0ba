import { describe, expect, it } from "@effect/vitest"
import { type ChangeDocumentStatus, type DocumentRecord, documentOf } from "@solar-sites/core"
import { findsOfReview, reviewDocument } from "../../src/documents/ReviewRules.ts"
import {
  approved,
  at,
  changed,
  completed,
  decided,
  found,
  origin,
  pending,
  refusal,
  rejected,
  uploaded
} from "./rules.ts"

const review =
  ({ id }: DocumentRecord, requested: ChangeDocumentStatus, versions?: ReadonlyArray<number>) =>
  (...stored: ReadonlyArray<DocumentRecord>) => {
    const command = { documentId: id, requested, at, ...(versions && { expectedVersions: versions }) }
    return reviewDocument(command, origin)(found(findsOfReview(command), stored))
  }

describe("reviewDocument", () => {
  it("approves, completes and rejects, with metadata in the same step", () => {
    const steps = [
      [uploaded(), { status: "approved" }],
      [approved(), { status: "completed" }],
      [uploaded(), { status: "failed", reason: "blurred" }]
    ] as const
    for (const [document, requested] of steps) {
      const result = review(document, { ...requested, note: "Seen" })(document)
      expect(decided(result).answer).toMatchObject({ status: requested.status, note: "Seen", version: 2 })
      expect(changed(result).events.map(({ type }) => type)).toEqual([`document.${requested.status}`])
    }
    const document = uploaded()
    expect(decided(review(document, { status: "failed" })(document)).answer).toMatchObject({
      failureReason: "rejected"
    })
  })

  it("allows what a caller may ask for, and names the allowed states", () => {
    const refused = [
      [pending(), { status: "approved" }, ["uploaded"]],
      [pending(), { status: "failed" }, ["uploaded"]],
      [uploaded(), { status: "pending" }, ["approved", "failed"]],
      [completed(), { status: "approved" }, []],
      [rejected(), { status: "failed", reason: "again" }, []]
    ] as const
    for (const [document, requested, allowed] of refused) {
      expect(review(document, requested)(document)).toMatchObject({
        failure: { _tag: "InvalidTransition", from: document.status, to: requested.status, allowed }
      })
    }
  })

  it("changes metadata alone without a status, or with the one that is reached", () => {
    const document = approved()
    for (const requested of [{ note: "Seen" }, { status: "approved", note: "Seen" }] as const) {
      const result = review(document, requested)(document)
      expect(decided(result).answer).toMatchObject({ status: "approved", note: "Seen", version: 2 })
      expect(changed(result).events.map(({ type }) => type)).toEqual(["document.updated"])
    }
    for (const requested of [{}, { status: "approved" }] as const) {
      expect(decided(review(document, requested)(document))).toEqual({ answer: documentOf(document), change: null })
    }
  })

  it("refuses an absent document first, then a version, then days in the wrong order, then the state", () => {
    const document = pending({ validFrom: "2026-06-01" as never })
    const requested = { status: "approved", validUntil: "2026-05-01" as never } as const
    expect(refusal(review(document, requested, [2])())).toBe("DocumentNotFound")
    expect(refusal(review(document, requested, [2])(document))).toBe("VersionMismatch")
    expect(refusal(review(document, requested, [1])(document))).toBe("ValidationFailed")
    expect(refusal(review(document, { status: "approved" }, [1])(document))).toBe("InvalidTransition")
  })
})
