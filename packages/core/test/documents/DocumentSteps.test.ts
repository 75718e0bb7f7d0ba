import { describe, expect, it } from "@effect/vitest"
import { type DocumentRecord, type DocumentStep, documentOf, transitions } from "@solar-sites/core"
import { aSite } from "@solar-sites/testing"
import { withMembers } from "../../src/documents/DocumentKind.ts"
import { findsOfStep, stepDocument } from "../../src/documents/DocumentRules.ts"
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
  refused,
  rejected,
  site,
  uploaded,
  written
} from "./rules.ts"

const targets = ["uploaded", "failed", "approved", "completed"] as const

const step = (
  { id }: DocumentRecord,
  members: DocumentStep,
  { versions, ...records }: Parameters<typeof found>[2] & { readonly versions?: ReadonlyArray<number> } = {}
) => {
  const command = { documentId: id, step: members, at, ...(versions && { expectedVersions: versions }) }
  return (...stored: ReadonlyArray<DocumentRecord>) =>
    stepDocument(command, origin)(found(findsOfStep(id, members.to), stored, records))
}

describe("stepDocument", () => {
  it("allows exactly the transitions of the state machine, and names the allowed ones", () => {
    for (const document of [pending(), uploaded(), approved(), completed(), refused(), rejected()]) {
      const { status: from } = document
      for (const to of targets) {
        const result = step(document, { to })(document)
        if (transitions[from].includes(to)) expect(decided(result).answer).toMatchObject({ status: to, version: 2 })
        else {
          expect(result).toMatchObject({
            failure: { _tag: "InvalidTransition", from, to, allowed: transitions[from] }
          })
        }
      }
    }
  })

  it("takes a late file, matching or not, after none had arrived", () => {
    const document = lapsed()
    const arrived = step(document, { to: "uploaded", sizeBytes: 9 })(document)
    expect(decided(arrived).answer).toMatchObject({ status: "uploaded", sizeBytes: 9, failureReason: null })
    const contradicting = step(document, { to: "failed", failureReason: "other bytes" })(document)
    expect(written(changed(contradicting))).toMatchObject([
      ["document", document.id, { status: "failed", failureReason: "other bytes", refused: true }],
      ["file", document.id, { dueAt: null }]
    ])
    expect(refusal(step(document, { to: "approved" })(document))).toBe("InvalidTransition")
  })

  it("gives up pending documents alone, while the lapsed address is the last one", () => {
    const lapse = { to: "failed", failureReason: "late", lapsedAt: later(60) } as const
    const document = pending()
    const { answer, change } = decided(step(document, lapse)(document))
    expect(answer).toMatchObject({ status: "failed", failureReason: "late" })
    expect(change?.writes, "no file is listed, and one may arrive late").toMatchObject([
      { after: { refused: false, lookAt: null, declaredBytes: 1_024 } }
    ])
    const readdressed = pending({ addressExpiresAt: later(61), version: 5 })
    expect(step(readdressed, lapse)(readdressed)).toMatchObject({ failure: { _tag: "VersionMismatch", actual: 5 } })
    for (const other of [uploaded(), approved(), completed(), lapsed(), refused(), rejected()]) {
      expect(refusal(step(other, lapse)(other)), other.status).toBe("InvalidTransition")
    }
  })

  it("applies to the document that was created at the instant alone", () => {
    const document = pending()
    const { createdAt } = document
    expect(refusal(step(document, { to: "uploaded", createdAt })(document))).toBe("decided")
    expect(refusal(step(document, { to: "uploaded", createdAt: later(1) })(document))).toBe("VersionMismatch")
  })

  it("refuses an absent document, then another version, address or instant, then the transition", () => {
    const document = completed({ version: 2 })
    for (const other of [{ versions: [1] }, { createdAt: later(1) }, { lapsedAt: later(1) }]) {
      const { versions, ...members } = { versions: [2], ...other }
      const refusing = step(document, { to: "failed", ...members }, { versions })
      expect(refusal(refusing())).toBe("DocumentNotFound")
      expect(refusing(document)).toMatchObject({ failure: { _tag: "VersionMismatch", actual: 2 } })
    }
    expect(refusal(step(document, { to: "failed" }, { versions: [2] })(document))).toBe("InvalidTransition")
  })

  it("sets the stored size, the reason and metadata in one change with one event", () => {
    const document = pending({ sizeBytes: null, declaredBytes: null, version: 6 })
    const changes = { note: "signed", filename: "Lease.pdf" }
    const { answer, change } = decided(step(document, { to: "uploaded", sizeBytes: 0, changes })(document))
    const after = withMembers(document, {
      ...changes,
      status: "uploaded",
      sizeBytes: 0,
      lookAt: null,
      updatedAt: at,
      version: 7
    })
    expect(answer).toEqual(documentOf(after))
    expect(change && written(change)).toEqual([["document", document.id, after]])
    expect(change?.events).toEqual([
      {
        type: "document.uploaded",
        subjectId: document.id,
        subjectName: "Lease.pdf",
        siteId: site.id,
        changes: {
          filename: { from: "Handover.pdf", to: "Lease.pdf" },
          status: { from: "pending", to: "uploaded" },
          sizeBytes: { from: null, to: 0 },
          note: { from: null, to: "signed" }
        }
      }
    ])
    const sized = pending({ sizeBytes: 5 })
    expect(decided(step(sized, { to: "uploaded" })(sized)).answer.sizeBytes, "none was given").toBe(5)
  })

  it("lists a file that is refused on arrival, and not that of a rejected document", () => {
    const [arriving, rejecting] = [pending(), uploaded({ sizeBytes: 7 })]
    const file = listed(arriving, { addressExpiresAt: later(90), claimedUntil: later(30), dueAt: later(30) })
    const fail = { to: "failed", failureReason: "blurred" } as const
    expect(written(changed(step(arriving, fail)(arriving)))[1]).toEqual(["file", arriving.id, listed(arriving)])
    expect(written(changed(step(arriving, fail, { files: [file] })(arriving)))[1], "its claim stays").toEqual([
      "file",
      arriving.id,
      listed(arriving, { addressExpiresAt: later(90), claimedUntil: later(30) })
    ])
    const change = changed(step(rejecting, fail)(rejecting))
    expect(written(change)).toEqual([
      [
        "document",
        rejecting.id,
        withMembers(rejecting, {
          status: "failed",
          failureReason: "blurred",
          refused: true,
          declaredBytes: null,
          updatedAt: at,
          version: 2
        })
      ]
    ])
    expect(eventsOf(change)).toEqual([
      [
        "document.failed",
        rejecting.id,
        { status: { from: "uploaded", to: "failed" }, failureReason: { from: null, to: "blurred" } }
      ]
    ])
  })

  it("makes an uploaded cover image the cover of its site, and no other document", () => {
    const cover = pending({ type: "coverImage" })
    const linked = aSite({ ...site, coverImageUrl: "https://example.com/a.png", version: 4 })
    const change = changed(step(cover, { to: "uploaded" }, { sites: [linked] })(cover))
    const after = aSite({ ...linked, coverImageUrl: pathOf(cover), version: 5, updatedAt: at })
    expect(written(change)[1]).toEqual(["site", site.id, after])
    expect(change.mayChange).toEqual([])
    expect(eventsOf(change)).toMatchObject([
      ["document.uploaded", cover.id, {}],
      ["site.updated", site.id, { coverImageUrl: { from: linked.coverImageUrl, to: pathOf(cover) } }]
    ])
    const paper = pending()
    expect(changed(step(paper, { to: "uploaded" })(paper))).toMatchObject({
      writes: [{ id: paper.id }],
      mayChange: [site.id]
    })
  })

  it("removes a rejected cover from its site, and leaves any other cover", () => {
    const cover = uploaded({ type: "coverImage" })
    const sitesAfter = (coverImageUrl: string) => {
      const sites = [aSite({ ...site, coverImageUrl })]
      const change = changed(step(cover, { to: "failed" }, { sites })(cover))
      return written(change).flatMap(([kind, , after]) => (kind === "site" ? [after] : []))
    }
    expect(sitesAfter(pathOf(cover))).toMatchObject([{ coverImageUrl: null, version: 2 }])
    expect(sitesAfter(pathOf(uploaded()))).toEqual([])
  })

  it("reads neighbours, site and file for a step that concerns them alone", () => {
    const readsOf = (to: DocumentStep["to"]) =>
      findsOfStep(uploaded().id, to).map(({ by, kind }) => `${kind.name} ${by}`)
    const common = ["document id", "document id", "site id", "file id"]
    expect(readsOf("uploaded")).toEqual(common)
    expect(readsOf("failed")).toEqual([...common, "document replaces"])
    for (const to of ["approved", "completed"] as const) expect(readsOf(to)).toEqual(["document id"])
  })
})
