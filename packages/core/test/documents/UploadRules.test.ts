import { describe, expect, it } from "@effect/vitest"
import {
  type Document,
  type DocumentRecord,
  documentKind,
  documentOf,
  type FileRecord,
  fileKind,
  maximumPendingDocuments
} from "@solar-sites/core"
import { withMembers } from "../../src/documents/DocumentKind.ts"
import { assumedForIssue, findsOfIssue, issueUploads, type UploadIssue } from "../../src/documents/UploadRules.ts"
import {
  approved,
  at,
  changed,
  decided,
  eventsOf,
  found,
  later,
  listed,
  organisationId,
  origin,
  pathOf,
  pending,
  refusal,
  rejected,
  site,
  uploaded,
  written
} from "./rules.ts"

const full = ["pendingDocuments"]

const issue = (documents: ReadonlyArray<Document>, members: Partial<UploadIssue> = {}): UploadIssue => ({
  organisationId,
  siteId: site.id,
  documents,
  addressExpiresAt: later(60),
  at,
  ...members
})

const decideIssue = (
  command: UploadIssue,
  stored: ReadonlyArray<DocumentRecord> = [],
  records: Parameters<typeof found>[2] = {}
) => issueUploads(command, origin)(found(findsOfIssue(command), stored, records))

describe("issueUploads", () => {
  const [first, second] = [pending(), pending({ sizeBytes: null, declaredBytes: null })]
  const documents = [documentOf(second), documentOf(first)]

  it("stores new documents, with events in order of id, and answers in the order of the request", () => {
    const { answer, change } = decided(decideIssue(issue(documents)))
    expect(answer).toEqual(documents)
    expect(change?.writes).toEqual([
      { kind: documentKind, id: first.id, before: null, after: first },
      { kind: documentKind, id: second.id, before: null, after: second }
    ])
    expect(change?.absent).toEqual([first, second].map(({ id }) => ({ kind: fileKind, id })))
    const described = {
      type: { from: null, to: "documents" },
      filename: { from: null, to: "Handover.pdf" },
      status: { from: null, to: "pending" },
      mimeType: { from: null, to: "application/pdf" }
    }
    expect(change && eventsOf(change)).toEqual([
      ["document.requested", first.id, { ...described, sizeBytes: { from: null, to: 1_024 } }],
      ["document.requested", second.id, described]
    ])
  })

  it("decides the same on what it assumes, and assumes nothing when it has to look", () => {
    const command = issue(documents)
    const assumed = assumedForIssue(command)
    expect(assumed && issueUploads(command, origin)(assumed)).toEqual(decideIssue(command))
    const claims = { keys: [pathOf(first)], until: later(30) }
    const successor = documentOf(withMembers(first, { replaces: uploaded().id }))
    for (const other of [issue([]), issue(documents, { claims }), issue([successor])]) {
      expect(assumedForIssue(other)).toBeNull()
    }
  })

  it("leaves a stored document as it is, and needs no room for it", () => {
    const stored = approved({ id: first.id, version: 3 })
    const { answer, change } = decided(decideIssue(issue([documentOf(first)]), [stored], { full }))
    expect([answer, change]).toEqual([[documentOf(stored)], null])
    const both = decided(decideIssue(issue(documents), [stored]))
    expect(both.answer).toEqual([documentOf(second), documentOf(stored)])
    expect(both.change && written(both.change)).toEqual([["document", second.id, second]])
  })

  it("refuses an absent site first, also without documents", () => {
    const records = { sites: [], files: [listed(first)], full }
    for (const command of [issue([]), issue(documents)]) {
      expect(decideIssue(command, [], records)).toMatchObject({
        failure: { _tag: "SiteNotFound", siteIds: [site.id] }
      })
    }
    expect(decided(decideIssue(issue([]), [], { full }))).toEqual({ answer: [], change: null })
  })

  it("refuses a listed file next, and then a full bound", () => {
    const files = [listed(first)]
    expect(refusal(decideIssue(issue(documents), [], { files, full }))).toBe("FileNotDeleted")
    expect(decideIssue(issue(documents), [], { full })).toMatchObject({
      failure: { _tag: "TooManyPending", maximum: maximumPendingDocuments }
    })
    const stored = [rejected({ id: first.id })]
    expect(refusal(decideIssue(issue(documents), stored, { files })), "its document is stored").toBe("decided")
  })

  it("takes a listed file off the list under the claim of the path until that instant alone", () => {
    const until = later(30)
    const file = listed(first, { claimedUntil: until, dueAt: until })
    const claimed = (claims: UploadIssue["claims"], stored: FileRecord = file) =>
      decideIssue(issue(documents, { claims }), [], { files: [stored] })
    const keys = [pathOf(first)]
    expect(refusal(claimed(undefined))).toBe("FileNotDeleted")
    expect(refusal(claimed({ keys: [pathOf(second)], until }))).toBe("FileNotDeleted")
    expect(refusal(claimed({ keys, until: later(31) }))).toBe("FileNotDeleted")
    expect(refusal(claimed({ keys, until }, listed(first)))).toBe("FileNotDeleted")
    const change = changed(claimed({ keys, until }))
    expect(written(change).at(-1)).toEqual(["file", first.id, null])
    expect(change.writes.at(-1)?.before?.record).toBe(file)
    expect(change.absent, "the other file").toEqual([{ kind: fileKind, id: second.id }])
  })

  it("awaits the file until the last address of a deleted document with the same path expires", () => {
    const until = later(30)
    for (const [seconds, last] of [
      [10, 60],
      [90, 90]
    ] as const) {
      const files = [listed(first, { claimedUntil: until, addressExpiresAt: later(seconds) })]
      const claims = { keys: [pathOf(first)], until }
      const [write] = changed(decideIssue(issue([documentOf(first)], { claims }), [], { files })).writes
      expect(write?.after).toMatchObject({ addressExpiresAt: later(last), lookAt: later(last) })
    }
  })

  it("counts the request of a replacement once for each predecessor, without a version", () => {
    const predecessor = uploaded({ replacementRequests: 2 })
    const naming = [first, second].map((one) => documentOf(withMembers(one, { replaces: predecessor.id })))
    const change = changed(decideIssue(issue(naming), [predecessor]))
    expect(written(change).at(-1)).toEqual([
      "document",
      predecessor.id,
      withMembers(predecessor, { replacementRequests: 3 })
    ])
    expect(change.writes).toHaveLength(3)
    expect(eventsOf(change)).toMatchObject([
      ["document.requested", first.id, { replaces: { from: null, to: predecessor.id } }],
      ["document.requested", second.id, {}]
    ])
  })

  it("stores null for a predecessor that is not stored, and for one of the same request", () => {
    const naming = (replaces: DocumentRecord) => documentOf(withMembers(first, { replaces: replaces.id }))
    for (const command of [issue([naming(uploaded())]), issue([naming(second), documentOf(second)])]) {
      const { answer } = decided(decideIssue(command))
      expect(answer[0]).toMatchObject({ id: first.id, replaces: null })
    }
    const stored = approved({ id: second.id })
    const again = decided(decideIssue(issue([naming(second), documentOf(second)]), [stored]))
    expect(again.answer[0]).toMatchObject({ replaces: null })
  })
})
