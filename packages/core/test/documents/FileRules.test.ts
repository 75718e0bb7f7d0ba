import { describe, expect, it } from "@effect/vitest"
import { type DocumentRecord, type FileRecord, fileKind, SiteId } from "@solar-sites/core"
import { aSite } from "@solar-sites/testing"
import { claimFile, findsOfClaim, listForDeletion } from "../../src/documents/FileRules.ts"
import {
  at,
  changed,
  decided,
  found,
  lapsed,
  later,
  listed,
  organisationId,
  origin,
  pathOf,
  pending,
  refusal,
  refused,
  rejected,
  site,
  uploaded,
  written
} from "./rules.ts"

const [now, until] = [later(100), later(130)]

const claim = (
  document: DocumentRecord,
  stored: ReadonlyArray<DocumentRecord>,
  ...files: ReadonlyArray<FileRecord>
) => {
  const { id: documentId, siteId } = document
  const command = { organisationId, siteId, documentId, key: pathOf(document), now, until }
  return claimFile(command, origin)(found(findsOfClaim(command), stored, { files }))
}

describe("listForDeletion", () => {
  const finds = ({ id }: DocumentRecord) => [{ kind: fileKind, by: "id", values: [id] }]

  it("lists a file that is due at once, with the expiry of the last address of its document", () => {
    const document = refused({ addressExpiresAt: later(60) })
    expect(listForDeletion(found(finds(document), []), document)).toEqual([
      { kind: fileKind, id: document.id, before: null, after: listed(document, { addressExpiresAt: later(60) }) }
    ])
  })

  it("makes a listed file due at once, keeps its claim, and the later one of both expiries", () => {
    const document = refused({ addressExpiresAt: later(60) })
    for (const [stored, last] of [
      [later(10), later(60)],
      [later(90), later(90)]
    ] as const) {
      const file = listed(document, { addressExpiresAt: stored, dueAt: until, claimedUntil: until })
      const [write] = listForDeletion(found(finds(document), [], { files: [file] }), document)
      expect(write?.before?.record).toBe(file)
      expect(write?.after).toEqual(listed(document, { addressExpiresAt: last, claimedUntil: until }))
    }
  })
})

describe("claimFile", () => {
  it("lists and claims the file of a document with a refused file", () => {
    for (const document of [refused(), rejected()]) {
      const result = claim(document, [document])
      expect(decided(result).answer).toBe(true)
      const { absent, at: decidedAt, events, writes } = changed(result)
      expect(writes).toEqual([
        {
          kind: fileKind,
          id: document.id,
          before: null,
          after: listed(document, { dueAt: until, claimedUntil: until })
        }
      ])
      // The document is read, so that its state is part of the decision.
      expect([absent, events, decidedAt]).toEqual([undefined, [], now])
    }
  })

  it("claims a listed file, of a deleted document too, and keeps the expiry of its addresses", () => {
    const document = refused()
    const file = listed(document, { addressExpiresAt: later(90) })
    for (const stored of [[document], []]) {
      const result = claim(document, stored, file)
      expect(decided(result).answer).toBe(true)
      expect(written(changed(result))).toEqual([
        ["file", document.id, listed(document, { addressExpiresAt: later(90), dueAt: until, claimedUntil: until })]
      ])
      expect(changed(result).writes[0]?.before?.record).toBe(file)
    }
  })

  it("refuses a file until the claim of another call ends", () => {
    const document = refused()
    const claimedUntil = (seconds: number) =>
      claim(document, [document], listed(document, { claimedUntil: later(seconds), dueAt: later(seconds) }))
    expect(refusal(claimedUntil(101))).toBe("FileNotDeleted")
    expect(refusal(claimedUntil(100)), "it ends now").toBe("decided")
    expect(written(changed(claimedUntil(99)))).toMatchObject([["file", document.id, { claimedUntil: until }]])
  })

  it("answers false, and changes nothing, where nothing is to be deleted", () => {
    const nothing = { answer: false, change: null }
    for (const document of [pending(), uploaded(), lapsed()]) {
      expect(decided(claim(document, [document])), document.status).toEqual(nothing)
    }
    expect(decided(claim(pending(), []))).toEqual(nothing)
    const document = refused()
    const elsewhere = pending({ id: document.id, siteId: SiteId.make(aSite().id) })
    expect(decided(claim(elsewhere, [document])), "the path of another site").toEqual(nothing)
    expect(decided(claim(elsewhere, [], listed(document)))).toEqual(nothing)
  })

  it("reads the document and the file", () => {
    const command = {
      organisationId,
      siteId: site.id,
      documentId: pending().id,
      key: pathOf(pending()),
      now: at,
      until
    }
    expect(findsOfClaim(command).map(({ by, kind }) => `${kind.name} ${by}`)).toEqual(["document id", "file id"])
  })
})
