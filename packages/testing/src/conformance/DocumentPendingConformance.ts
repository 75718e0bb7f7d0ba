/**
 * Maximum of pending documents per organisation in a `DocumentRepository`.
 */
import {
  DocumentRepository,
  FileNotDeleted,
  maximumPendingDocuments,
  type Site,
  TooManyPending
} from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import {
  applySteps,
  currentDocument,
  type DocumentPorts,
  documentOf,
  farFuture,
  insertDocument,
  siteInOwnOrganisation
} from "./DocumentSetup.ts"
import { refused, succeededOrRefused } from "./Expectations.ts"
import { changedAt } from "./Setup.ts"

const insert = Effect.fnUntraced(function* (site: Site, count: number) {
  const documents = Array.from({ length: count }, () => documentOf(site))
  return yield* (yield* DocumentRepository).insertMany(site.organisationId, site.id, documents, farFuture)
})

/**
 * A site of an organisation with room for this number of pending documents, and one pending
 * document.
 */
const almostFull = Effect.fnUntraced(function* (room: number) {
  const site = yield* siteInOwnOrganisation
  const batch = maximumPendingDocuments / 10
  for (let inserted = 0; inserted < maximumPendingDocuments - batch; inserted += batch) yield* insert(site, batch)
  const [pending = documentOf(site)] = yield* insert(site, batch - room)
  return { site, pending }
})

const pendingOf = Effect.fnUntraced(function* ({ organisationId }: Site) {
  const repository = yield* DocumentRepository
  const conditions = { status: "pending" } as const
  const page = yield* repository.list(organisationId, conditions, { after: null, limit: maximumPendingDocuments * 2 })
  return page.items.length
})

export const documentPendingCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "stores no more pending documents than the maximum, in each organisation by itself",
    check: Effect.gen(function* () {
      const repository = yield* DocumentRepository
      const { pending, site } = yield* almostFull(2)
      const refusal = yield* refused(insert(site, 3), TooManyPending, "three where there is room for two")
      assert.equal(refusal.maximum, maximumPendingDocuments, "the refusal names the maximum")
      assert.equal(yield* pendingOf(site), maximumPendingDocuments - 2, "a refused request stores nothing")
      yield* insert(site, 2)
      yield* refused(insert(site, 1), TooManyPending, "one more")
      yield* insert(yield* siteInOwnOrganisation, 1)
      const again = yield* repository.insertMany(site.organisationId, site.id, [pending], farFuture)
      assert.deepEqual(again, [pending], "what is stored already needs no room")
      yield* insert(site, 0)
      yield* applySteps(pending, "uploaded")
      yield* insert(site, 1)
    })
  },
  {
    name: "reopens no failed document while too many are pending, but always a pending one",
    check: Effect.gen(function* () {
      const repository = yield* DocumentRepository
      const { pending, site } = yield* almostFull(1)
      const { organisationId } = site
      const [failed = pending, other = pending] = yield* Effect.forEach([0, 1], () =>
        Effect.flatMap(insert(site, 1), ([document = pending]) =>
          applySteps(document, { to: "failed", lapsedAt: farFuture, failureReason: "late" })
        )
      )
      const reopen = (id: typeof failed.id) =>
        repository.reopen(organisationId, id, { at: changedAt, addressExpiresAt: farFuture })
      yield* reopen(failed.id)
      yield* refused(reopen(other.id), TooManyPending, "another one")
      assert.deepEqual(yield* currentDocument(other), other, "it stays failed")
      assert.deepEqual(yield* reopen(pending.id), pending)
      yield* repository.delete(organisationId, failed.id, { at: changedAt })
      yield* reopen(other.id)
    })
  },
  {
    name: "refuses too many pending documents before the file of a rejected one is deleted",
    check: Effect.gen(function* () {
      const { claimFile, reopen } = yield* DocumentRepository
      const { pending, site } = yield* almostFull(1)
      const { organisationId } = site
      const rejected = yield* applySteps(pending, "uploaded", "failed")
      yield* insert(site, 2)
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
  },
  {
    name: "never exceeds the maximum of pending documents by concurrent inserts",
    check: Effect.gen(function* () {
      const { site } = yield* almostFull(3)
      const attempts = Array.from({ length: 8 }, () => Effect.result(insert(site, 1)))
      const results = yield* Effect.all(attempts, { concurrency: "unbounded" })
      const stored = results.filter((result) =>
        succeededOrRefused(result, TooManyPending, "a document is one too many")
      )
      assert.equal(stored.length, 3, "as many succeed as there is room for")
      assert.equal(yield* pendingOf(site), maximumPendingDocuments)
      const found = yield* (yield* DocumentRepository).findById(site.organisationId, documentOf(site).id)
      assert.ok(Option.isNone(found))
    })
  }
]
