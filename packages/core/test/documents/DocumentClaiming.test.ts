import { type FileRecord, fileKind } from "@solar-sites/core"
import { DateTime, Duration } from "effect"
import { expect, it } from "vitest"
import { claimDeleted, claimPending, forgetDeleted } from "../../src/documents/DocumentClaiming.ts"
import { documentKind } from "../../src/documents/DocumentKind.ts"
import { deleteSiteWithDocuments, findsOfSiteDeletion } from "../../src/documents/SiteDeletion.ts"
import { applied, load, storeOf } from "./recordStore.ts"
import { at, decided, later, listed, organisationId, origin, pathOf, pending, site, uploaded } from "./rules.ts"

const claim = { now: later(100), dueAgainAt: later(200), limit: 2 }
const due = [pending({ lookAt: later(30) }), pending({ lookAt: later(10) }), pending({ lookAt: later(20) })]

it("claims pending documents, the longest due first", () => {
  const store = storeOf({ document: [...due, pending({ lookAt: later(101) }), uploaded()] })
  const found = load(store, [{ kind: documentKind, by: "status", values: ["pending"] }])
  const { answer, change } = decided(claimPending(claim)(found))
  expect(answer.map(({ document }) => document.id)).toEqual([due[1]?.id, due[2]?.id])
  if (change === null) throw new Error("nothing was changed")
  expect(
    applied(store, change)
      .get("document")
      ?.get(due[1]?.id ?? "")
  ).toMatchObject({ lookAt: later(200), version: 1 })
  expect(change.events).toEqual([])
})

const files = (all: ReadonlyArray<FileRecord>) =>
  load(storeOf({ file: all }), [{ kind: fileKind, by: "organisationId", values: [organisationId] }])

it("claims listed files that no other call deletes", () => {
  const [free, taken, ended, early] = [uploaded(), uploaded(), uploaded(), uploaded()]
  const all = [
    listed(free),
    listed(taken, { claimedUntil: later(101) }),
    listed(ended, { claimedUntil: later(100), dueAt: later(100) }),
    listed(early, { dueAt: later(101) })
  ]
  const { answer, change } = decided(claimDeleted(organisationId, claim)(files(all)))
  expect(answer).toEqual([pathOf(free), pathOf(ended)])
  expect(change?.writes.map(({ after }) => after)).toMatchObject([
    { dueAt: later(200), claimedUntil: later(200) },
    { dueAt: later(200), claimedUntil: later(200) }
  ])
  expect(decided(claimDeleted(organisationId, claim)(files([]))).change).toBeNull()
})

it("forgets deleted files of the claim, unless an upload can still run", () => {
  const document = uploaded()
  const options = { now: later(100), claimedUntil: later(200), uploadsEndAfter: Duration.seconds(60) }
  const forget = (file: FileRecord) => {
    const found = load(storeOf({ file: [file] }), [{ kind: fileKind, by: "id", values: [file.id] }])
    return decided(forgetDeleted([pathOf(document)], options)(found)).change?.writes[0]?.after
  }
  expect(forget(listed(document, { claimedUntil: later(200), addressExpiresAt: later(40) }))).toBeNull()
  expect(forget(listed(document, { claimedUntil: later(200), addressExpiresAt: later(41) }))).toMatchObject({
    dueAt: later(101),
    claimedUntil: null
  })
  expect(forget(listed(document, { claimedUntil: later(199), addressExpiresAt: at }))).toBeUndefined()
})

it("deletes a site with its documents, and lists their files", () => {
  const documents = [uploaded(), pending()]
  const there = listed(documents[0] ?? uploaded(), { claimedUntil: later(5), addressExpiresAt: later(90) })
  const store = storeOf({ site: [site], document: documents, file: [there] })
  const remove = (expectedVersions?: ReadonlyArray<number>) =>
    decided(
      deleteSiteWithDocuments(site.id, expectedVersions as never, origin)(load(store, findsOfSiteDeletion(site.id)))
    )
  expect(remove([7])).toEqual({ answer: { version: 1, isExpected: false }, change: null })
  const { change } = remove()
  if (change === null) throw new Error("nothing was changed")
  const after = applied(store, change)
  expect([after.get("site")?.size, after.get("document")?.size, after.get("file")?.size]).toEqual([0, 0, 2])
  expect(after.get("file")?.get(there.id)).toMatchObject({ claimedUntil: later(5), addressExpiresAt: later(90) })
  expect(change.events.map(({ type }) => type)).toEqual(["site.deleted", "document.deleted", "document.deleted"])
  expect(DateTime.Equivalence(change.at, at)).toBe(true)
})
