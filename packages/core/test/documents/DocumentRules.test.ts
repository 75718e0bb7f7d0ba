import { describe, expect, it } from "@effect/vitest"
import { type DocumentRecord, documentOf } from "@solar-sites/core"
import { aSite } from "@solar-sites/testing"
import { withMembers } from "../../src/documents/DocumentKind.ts"
import { deleteDocument, findsOfDeletion, findsOfUpdate, updateDocument } from "../../src/documents/DocumentRules.ts"
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
  pathOf,
  pending,
  refusal,
  rejected,
  site,
  uploaded,
  written
} from "./rules.ts"

const inAllStates = [pending(), uploaded(), approved(), completed(), lapsed(), rejected()]

describe("updateDocument", () => {
  const update = (
    { id }: DocumentRecord,
    changes: Parameters<typeof updateDocument>[0]["changes"],
    expectedVersions?: ReadonlyArray<number>
  ) => {
    const command = { documentId: id, changes, at, ...(expectedVersions && { expectedVersions }) }
    return (...stored: ReadonlyArray<DocumentRecord>) =>
      updateDocument(command, origin)(found(findsOfUpdate(id), stored))
  }

  it("sets metadata in every state, and writes an event of the members that differ", () => {
    for (const document of inAllStates) {
      const rename = update(document, { filename: "Lease.pdf", note: "signed", validFrom: null })(document)
      const after = withMembers(document, { filename: "Lease.pdf", note: "signed", updatedAt: at, version: 2 })
      expect(decided(rename).answer, document.status).toEqual(documentOf(after))
      expect(written(changed(rename))).toEqual([["document", document.id, after]])
      expect(changed(rename).events).toEqual([
        {
          type: "document.updated",
          subjectId: document.id,
          subjectName: "Lease.pdf",
          siteId: site.id,
          changes: { filename: { from: "Handover.pdf", to: "Lease.pdf" }, note: { from: null, to: "signed" } }
        }
      ])
    }
  })

  it("changes nothing when all values are equal", () => {
    const document = uploaded({ note: "signed" })
    for (const changes of [{}, { note: "signed" }, { filename: document.filename, validUntil: null }]) {
      expect(decided(update(document, changes)(document))).toEqual({ answer: documentOf(document), change: null })
    }
  })

  it("refuses an absent document, then another version, also when nothing would change", () => {
    const document = uploaded({ version: 3 })
    expect(refusal(update(document, {}, [2])())).toBe("DocumentNotFound")
    expect(refusal(update(document, { note: "x" }, [])(document))).toBe("VersionMismatch")
    expect(update(document, {}, [2, 4])(document)).toMatchObject({ failure: { _tag: "VersionMismatch", actual: 3 } })
    expect(refusal(update(document, { note: "x" }, [2, 3])(document))).toBe("decided")
  })
})

describe("deleteDocument", () => {
  const remove = (
    { id }: DocumentRecord,
    records: Parameters<typeof found>[2] = {},
    versions?: ReadonlyArray<number>
  ) => {
    const command = { documentId: id, at, ...(versions && { expectedVersions: versions }) }
    return (...stored: ReadonlyArray<DocumentRecord>) =>
      deleteDocument(command, origin)(found(findsOfDeletion(id), stored, records))
  }

  it("removes the document in every state, and lists its file for deletion", () => {
    for (const document of inAllStates) {
      const change = changed(remove(document)(document))
      expect(written(change), document.status).toEqual([
        ["document", document.id, null],
        ["file", document.id, listed(document)]
      ])
      expect(eventsOf(change)).toMatchObject([["document.deleted", document.id, { status: { to: null } }]])
      expect(change.mayChange, "other changes of the site make no difference").toEqual([site.id])
    }
  })

  it("describes the members that the document had", () => {
    const document = uploaded({ type: "report", mimeType: "image/png", sizeBytes: null, note: "signed" })
    expect(changed(remove(document)(document)).events).toEqual([
      {
        type: "document.deleted",
        subjectId: document.id,
        subjectName: "Handover.pdf",
        siteId: site.id,
        changes: {
          type: { from: "report", to: null },
          filename: { from: "Handover.pdf", to: null },
          status: { from: "uploaded", to: null },
          mimeType: { from: "image/png", to: null },
          note: { from: "signed", to: null }
        }
      }
    ])
  })

  it("keeps the claim of a listed file, and the last expiry of its addresses", () => {
    const document = rejected({ addressExpiresAt: later(60) })
    for (const [seconds, last] of [
      [10, 60],
      [90, 90]
    ] as const) {
      const claim = { addressExpiresAt: later(seconds), claimedUntil: later(30) }
      const file = listed(document, { ...claim, dueAt: later(30) })
      const [, write] = changed(remove(document, { files: [file] })(document)).writes
      expect(write?.before?.record).toBe(file)
      expect(write?.after).toEqual(listed(document, { ...claim, addressExpiresAt: later(last) }))
    }
  })

  it("removes the cover of the site, which is a change of the site", () => {
    const cover = uploaded({ type: "coverImage" })
    const covered = aSite({ ...site, coverImageUrl: pathOf(cover), version: 4 })
    const change = changed(remove(cover, { sites: [covered] })(cover))
    expect(written(change)).toContainEqual([
      "site",
      site.id,
      aSite({ ...covered, coverImageUrl: null, version: 5, updatedAt: at })
    ])
    expect(eventsOf(change).at(-1)).toEqual([
      "site.updated",
      site.id,
      { coverImageUrl: { from: pathOf(cover), to: null } }
    ])
    expect(change.mayChange).toEqual([])
  })

  it("leaves another cover, and a site that is gone", () => {
    const cover = uploaded({ type: "coverImage" })
    for (const sites of [[aSite({ ...site, coverImageUrl: pathOf(uploaded()) })], []]) {
      const change = changed(remove(cover, { sites })(cover))
      expect(written(change).map(([kind]) => kind)).toEqual(["document", "file"])
    }
  })

  it("writes the events of the document, of its neighbours by id, and of the site, in this order", () => {
    const isCover = { type: "coverImage" } as const
    // Their ids ascend.
    const [first, second, third, leaving] = [pending(isCover), uploaded(isCover), uploaded(isCover), uploaded(isCover)]
    const chain = [
      withMembers(first, { replaces: leaving.id }),
      withMembers(second, { replacedBy: leaving.id }),
      withMembers(third, { replaces: leaving.id }),
      withMembers(leaving, { replaces: second.id, replacedBy: third.id })
    ]
    const sites = [aSite({ ...site, coverImageUrl: pathOf(leaving) })]
    expect(eventsOf(changed(remove(leaving, { sites })(...chain))).map(([type, id]) => [type, id])).toEqual([
      ["document.deleted", leaving.id],
      ["document.updated", first.id],
      ["document.updated", second.id],
      ["document.updated", third.id],
      ["site.updated", site.id]
    ])
  })

  it("refuses an absent document, then another version", () => {
    const document = uploaded({ version: 3 })
    expect(refusal(remove(document, {}, [3])())).toBe("DocumentNotFound")
    expect(remove(document, {}, [2])(document)).toMatchObject({ failure: { _tag: "VersionMismatch", actual: 3 } })
    expect(refusal(remove(document, {}, [3])(document))).toBe("decided")
  })
})
