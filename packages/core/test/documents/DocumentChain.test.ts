import { describe, expect, it } from "@effect/vitest"
import type { DocumentRecord } from "@solar-sites/core"
import {
  findPredecessor,
  findSuccessors,
  isTooLate,
  joinChain,
  leaveChain,
  type Relinked,
  relinkedEvents,
  relinkedWrites
} from "../../src/documents/DocumentChain.ts"
import { withMembers } from "../../src/documents/DocumentKind.ts"
import { findsOfStep, stepDocument } from "../../src/documents/DocumentRules.ts"
import {
  at,
  changed,
  decided,
  eventsOf,
  found,
  lapsed,
  listed,
  origin,
  pending,
  refused,
  rejected,
  uploaded,
  written
} from "./rules.ts"

/** Documents in ascending order of id. */
const [oldest, older, newer, newest] = [uploaded(), uploaded(), uploaded(), uploaded()]

const neighbours = ({ id }: DocumentRecord, ...stored: ReadonlyArray<DocumentRecord>) =>
  found([findPredecessor(id), findSuccessors(id)], stored)

const leave = (leaving: DocumentRecord, ...others: ReadonlyArray<DocumentRecord>) =>
  leaveChain(neighbours(leaving, leaving, ...others), leaving, at)

const linksAfter = (relinked: ReadonlyArray<Relinked>) =>
  relinked.map(({ after: { id, replacedBy, replacementRequests, replaces, version } }) => ({
    id,
    replaces,
    replacedBy,
    replacementRequests,
    version
  }))

const links = (
  { id }: DocumentRecord,
  replaces: DocumentRecord | null,
  replacedBy: DocumentRecord | null,
  { replacementRequests = 0, version = 2 } = {}
) => ({ id, replaces: replaces?.id ?? null, replacedBy: replacedBy?.id ?? null, replacementRequests, version })

describe("a document that joins its chain", () => {
  const arriving = withMembers(newer, { replaces: older.id })

  it("becomes the successor of its predecessor, which is replaced", () => {
    const relinked = joinChain(neighbours(arriving, arriving, older), arriving, at)
    const after = withMembers(older, { replacedBy: arriving.id, updatedAt: at, version: 2 })
    expect(relinkedWrites(relinked)).toMatchObject([{ id: older.id, before: { record: older }, after }])
    expect(relinkedEvents(relinked)).toEqual([
      {
        type: "document.replaced",
        subjectId: older.id,
        subjectName: older.filename,
        siteId: older.siteId,
        changes: { replacedBy: { from: null, to: arriving.id } }
      }
    ])
  })

  it("does so in its step to uploaded, with the event of its predecessor after its own", () => {
    const document = pending({ replaces: older.id })
    const command = { documentId: document.id, step: { to: "uploaded" } as const, at }
    const change = changed(
      stepDocument(command, origin)(found(findsOfStep(document.id, "uploaded"), [document, older]))
    )
    expect(change.writes).toMatchObject([{ id: document.id }, { id: older.id, after: { replacedBy: document.id } }])
    expect(eventsOf(change)).toMatchObject([
      ["document.uploaded", document.id, {}],
      ["document.replaced", older.id, { replacedBy: { from: null, to: document.id } }]
    ])
  })

  it("changes nothing without a predecessor, or when it is the successor already", () => {
    expect(joinChain(neighbours(newer, newer), newer, at)).toEqual([])
    const replaced = withMembers(older, { replacedBy: arriving.id })
    expect(joinChain(neighbours(arriving, arriving, replaced), arriving, at)).toEqual([])
  })

  it("is too late when its predecessor has another successor alone", () => {
    const isLate = (replacedBy: DocumentRecord | null) => {
      const predecessor = withMembers(older, { replacedBy: replacedBy?.id ?? null })
      return isTooLate(neighbours(arriving, arriving, predecessor), arriving)
    }
    expect([isLate(null), isLate(arriving), isLate(newest)]).toEqual([false, false, true])
    expect(isTooLate(neighbours(newer, newer), newer)).toBe(false)
  })
})

describe("the step to uploaded of a document that is too late", () => {
  const replaced = withMembers(older, { replacedBy: newest.id })
  const winner = withMembers(newest, { replaces: older.id })
  const step = (document: DocumentRecord) => {
    const changes = { note: "signed" }
    const command = { documentId: document.id, step: { to: "uploaded", sizeBytes: 7, changes } as const, at }
    return stepDocument(command, origin)(found(findsOfStep(document.id, "uploaded"), [document, replaced, winner]))
  }

  it("fails the document, refuses its file and leaves metadata, size and the chain", () => {
    for (const type of ["documents", "coverImage"] as const) {
      const document = pending({ type, replaces: older.id })
      const reason = "already_replaced"
      const after = {
        status: "failed",
        failureReason: reason,
        refused: true,
        lookAt: null,
        updatedAt: at,
        version: 2
      } as const
      const change = changed(step(document))
      expect(written(change)).toEqual([
        ["document", document.id, withMembers(document, after)],
        ["file", document.id, listed(document)]
      ])
      expect(eventsOf(change)).toEqual([
        [
          "document.failed",
          document.id,
          { status: { from: "pending", to: "failed" }, failureReason: { from: null, to: reason } }
        ]
      ])
    }
  })

  it("fails a document whose file arrives after it lapsed, too", () => {
    const document = lapsed({ replaces: older.id })
    expect(decided(step(document)).answer).toMatchObject({ status: "failed", failureReason: "already_replaced" })
  })
})

describe("a document that leaves its chain", () => {
  it("joins its neighbours when it is between them", () => {
    const leaving = withMembers(newer, { replaces: older.id, replacedBy: newest.id })
    const before = withMembers(older, { replaces: oldest.id, replacedBy: newer.id, replacementRequests: 3 })
    const after = withMembers(newest, { replaces: newer.id })
    const relinked = leave(leaving, before, after)
    expect(linksAfter(relinked)).toEqual([
      links(older, oldest, newest, { replacementRequests: 4 }),
      links(newest, older, null)
    ])
    expect(relinked.map(({ after: { updatedAt } }) => updatedAt)).toEqual([at, at])
    expect(relinkedEvents(relinked).map(({ changes, subjectId, type }) => [type, subjectId, changes])).toEqual([
      ["document.updated", older.id, { replacedBy: { from: newer.id, to: newest.id } }],
      ["document.updated", newest.id, { replaces: { from: newer.id, to: older.id } }]
    ])
  })

  it("makes its predecessor current again when it is the last one", () => {
    const leaving = withMembers(newer, { replaces: older.id })
    const relinked = leave(leaving, withMembers(older, { replacedBy: newer.id }))
    expect(linksAfter(relinked)).toEqual([links(older, null, null)])
    expect(relinkedEvents(relinked)).toMatchObject([
      { type: "document.updated", changes: { replacedBy: { from: newer.id, to: null } } }
    ])
  })

  it("gives its predecessor to all documents that name it, in any state, with events by id", () => {
    const naming = [pending(), lapsed(), refused(), rejected()].map((one) => withMembers(one, { replaces: older.id }))
    for (const predecessor of [oldest, null]) {
      const leaving = withMembers(older, { replaces: predecessor?.id ?? null })
      const others = predecessor === null ? [] : [withMembers(predecessor, { replacedBy: older.id })]
      const relinked = leave(leaving, ...others, ...naming.toReversed())
      expect(linksAfter(relinked)).toEqual([
        ...others.map((one) => links(one, null, null, { replacementRequests: 1 })),
        ...naming.map((one) => links(one, predecessor, null))
      ])
      const ids = [...others, ...naming].map(({ id }) => id)
      expect(relinkedEvents(relinked.toReversed()).map(({ subjectId }) => subjectId)).toEqual(ids)
    }
  })

  it("only counts the new names when a document leaves that has not arrived, without a version or an event", () => {
    const leaving = pending({ replaces: older.id })
    const naming = lapsed({ replaces: leaving.id })
    const predecessor = withMembers(older, { replacedBy: newest.id })
    expect(leave(leaving, predecessor, withMembers(newest, { replaces: older.id }))).toEqual([])
    const relinked = leave(leaving, predecessor, naming)
    expect(linksAfter(relinked)).toEqual([
      links(older, null, newest, { replacementRequests: 1, version: 1 }),
      links(naming, older, null)
    ])
    expect(relinked[0]?.after.updatedAt).toEqual(older.updatedAt)
    expect(relinkedEvents(relinked).map(({ subjectId }) => subjectId)).toEqual([naming.id])
  })

  it("leaves its arrived successor without a link when its predecessor has another successor", () => {
    const leaving = rejected({ replaces: older.id, replacedBy: newer.id })
    const [successor, naming] = [withMembers(newer, { replaces: leaving.id }), pending({ replaces: leaving.id })]
    const relinked = leave(leaving, withMembers(older, { replacedBy: newest.id }), successor, naming)
    expect(linksAfter(relinked).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      links(older, null, newest, { replacementRequests: 1, version: 1 }),
      links(newer, null, null),
      links(naming, older, null)
    ])
  })

  it("replaces its predecessor by its own successor when that has none", () => {
    const leaving = rejected({ replaces: older.id, replacedBy: newer.id })
    const relinked = leave(leaving, older, withMembers(newer, { replaces: leaving.id }))
    expect(linksAfter(relinked)[0]).toEqual(links(older, null, newer, { replacementRequests: 1 }))
    expect(relinkedEvents(relinked).map(({ type }) => type)).toEqual(["document.replaced", "document.updated"])
  })

  it("keeps its own replaces when it is rejected, and loses its successor", () => {
    const leaving = withMembers(newer, { replaces: older.id, replacedBy: newest.id })
    const stored = [withMembers(older, { replacedBy: newer.id }), leaving, withMembers(newest, { replaces: newer.id })]
    const command = { documentId: newer.id, step: { to: "failed", failureReason: "blurred" } as const, at }
    const change = changed(stepDocument(command, origin)(found(findsOfStep(newer.id, "failed"), stored)))
    expect(change.writes.map(({ after }) => after)).toMatchObject([
      { id: newer.id, replaces: older.id, replacedBy: null },
      { id: older.id, replacedBy: newest.id },
      { id: newest.id, replaces: older.id }
    ])
    expect(eventsOf(change)).toMatchObject([
      ["document.failed", newer.id, { replacedBy: { from: newest.id, to: null } }],
      ["document.updated", older.id, {}],
      ["document.updated", newest.id, {}]
    ])
  })
})
