/**
 * Maximum of pending documents per organisation in a `DocumentRepository`.
 */

import { type Document, FileNotDeleted, maximumPendingDocuments, type Site, TooManyPending } from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import {
  applySteps,
  currentDocument,
  type DocumentPorts,
  documentOf,
  farFuture,
  insertDocument,
  siteInOwnOrganisation
} from "../../src/conformance/DocumentSetup.ts"
import { refused, succeededOrRefused } from "../../src/conformance/Expectations.ts"
import { documentMethods } from "../../src/conformance/Methods.ts"
import { changedAt } from "../../src/conformance/Setup.ts"

const insert = Effect.fnUntraced(function* (site: Site, count: number) {
  const documents = Array.from({ length: count }, () => documentOf(site))
  return yield* (yield* documentMethods).insertMany(site.organisationId, site.id, documents, farFuture)
})

/** A site of an organisation with room for this number of pending documents, and some of them. */
const almostFull = Effect.fnUntraced(function* (room: number) {
  const site = yield* siteInOwnOrganisation
  const batch = maximumPendingDocuments / 10
  for (let inserted = 0; inserted < maximumPendingDocuments - batch; inserted += batch) yield* insert(site, batch)
  return { site, pending: yield* insert(site, batch - room) }
})

const pendingOf = Effect.fnUntraced(function* ({ organisationId }: Site) {
  const repository = yield* documentMethods
  const conditions = { status: "pending" } as const
  const page = yield* repository.list(organisationId, conditions, { after: null, limit: maximumPendingDocuments * 2 })
  return page.items.length
})

/** Stores documents at the same time where there is room for three. */
const insertsAtOnce = Effect.fnUntraced(function* (site: Site) {
  const attempts = Array.from({ length: 8 }, () => Effect.result(insert(site, 1)))
  const results = yield* Effect.all(attempts, { concurrency: "unbounded" })
  const stored = results.filter((result) => succeededOrRefused(result, TooManyPending, "a document is one too many"))
  assert.equal(stored.length, 3, "as many concurrent inserts succeed as there is room for")
  assert.equal(yield* pendingOf(site), maximumPendingDocuments)
  const found = yield* (yield* documentMethods).findById(site.organisationId, documentOf(site).id)
  assert.ok(Option.isNone(found))
})

/** Stores documents where there is no room, and makes some. */
const inserts = Effect.fnUntraced(function* (site: Site, pending: ReadonlyArray<Document>) {
  const { insertMany } = yield* documentMethods
  for (const document of pending.slice(0, 2)) yield* applySteps(document, "uploaded")
  const refusal = yield* refused(insert(site, 3), TooManyPending, "three where there is room for two")
  assert.equal(refusal.maximum, maximumPendingDocuments, "the refusal names the maximum")
  assert.equal(yield* pendingOf(site), maximumPendingDocuments - 2, "a refused request stores nothing")
  yield* insert(site, 2)
  yield* refused(insert(site, 1), TooManyPending, "one more")
  yield* insert(yield* siteInOwnOrganisation, 1)
  const stored = pending.slice(2, 3)
  const again = yield* insertMany(site.organisationId, site.id, stored, farFuture)
  assert.deepEqual(again, stored, "what is stored already needs no room")
  yield* insert(site, 0)
  for (const document of stored) yield* applySteps(document, "uploaded")
  yield* insert(site, 1)
})

/** Reopens failed documents where there is no room, and makes some. */
const reopensFailed = Effect.fnUntraced(function* (
  site: Site,
  pending: Document,
  failing: readonly [Document, Document]
) {
  const repository = yield* documentMethods
  const { organisationId } = site
  const lapsed = { to: "failed", lapsedAt: farFuture, failureReason: "late" } as const
  const [failed, other] = [yield* applySteps(failing[0], lapsed), yield* applySteps(failing[1], lapsed)]
  const reopen = ({ id }: Document) =>
    repository.reopen(organisationId, id, { at: changedAt, addressExpiresAt: farFuture })
  yield* insert(site, 1)
  yield* reopen(failed)
  yield* refused(reopen(other), TooManyPending, "another one")
  assert.deepEqual(yield* currentDocument(other), other, "it stays failed")
  assert.deepEqual(yield* reopen(pending), pending)
  yield* repository.delete(organisationId, failed.id, { at: changedAt })
  yield* reopen(other)
})

/** Reopens a rejected document, of which the file is not deleted, where there is no room. */
const reopensRejected = Effect.fnUntraced(function* (site: Site, pending: Document) {
  const { claimFile, reopen } = yield* documentMethods
  const { organisationId } = site
  const rejected = yield* applySteps(pending, "uploaded", "failed")
  yield* insert(site, 1)
  const open = { at: changedAt, addressExpiresAt: farFuture }
  yield* refused(reopen(organisationId, pending.id, open), TooManyPending, "without a claim of the file")
  const theirs = yield* applySteps(yield* insertDocument(yield* siteInOwnOrganisation), "uploaded", "failed")
  const reopenTheirs = reopen(theirs.organisationId, theirs.id, open)
  yield* refused(reopenTheirs, FileNotDeleted, "another organisation, which has room")
  const claimedUntil = DateTime.add(changedAt, { seconds: 30 })
  yield* claimFile(organisationId, pending.path, { now: changedAt, until: claimedUntil })
  const claimed = reopen(organisationId, pending.id, { ...open, claimedUntil })
  yield* refused(claimed, TooManyPending, "under a claim of the file")
  assert.deepEqual(yield* currentDocument(rejected), rejected, "it stays rejected")
})

export const documentPendingCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    // One case, since storing the maximum is most of the work.
    name: "keeps the maximum of pending documents when some are stored, also at the same time, or reopened",
    check: Effect.gen(function* () {
      const { pending, site } = yield* almostFull(3)
      yield* insertsAtOnce(site)
      yield* inserts(site, pending)
      const [first, second, third, fourth] = pending.slice(3)
      assert.ok(first && second && third && fourth, "there are more pending documents")
      yield* reopensFailed(site, first, [second, third])
      yield* reopensRejected(site, fourth)
    })
  }
]
