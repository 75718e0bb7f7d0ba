/**
 * Claims of due work within one organisation in a `DocumentMaintenance`.
 */

import { type Document, DocumentMaintenance, type Site } from "@solar-sites/core"
import { DateTime, Duration, Effect } from "effect"
import { aDocument } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import {
  afterDeletions,
  applySteps,
  claimFiles,
  currentDocument,
  type DocumentPorts,
  insertDocument,
  siteInOwnOrganisation
} from "./DocumentSetup.ts"
import { documentMethods } from "./Methods.ts"
import { changedAt } from "./Setup.ts"
import { inBothZones } from "./TimeZone.ts"

const start = DateTime.makeUnsafe("1990-01-01T00:00:00.250Z")
const second = (count: number) => DateTime.add(start, { seconds: count })

const claimed = Effect.fnUntraced(function* (site: Site, now: DateTime.Utc, dueAgainAt: DateTime.Utc, limit = 100) {
  const pending = yield* (yield* DocumentMaintenance).claimPending(site.organisationId, { now, dueAgainAt, limit })
  return pending.map(({ document }) => document.id).sort()
})

const idsOf = (...documents: ReadonlyArray<Document>) => documents.map(({ id }) => id).sort()

const filed = Effect.fnUntraced(function* (count: number, addressExpiresAt = start) {
  const repository = yield* documentMethods
  const site = yield* siteInOwnOrganisation
  const { organisationId } = site
  const documents = yield* Effect.forEach(Array.from({ length: count }), () =>
    insertDocument(site, {}, addressExpiresAt)
  )
  for (const { id } of documents) yield* repository.delete(organisationId, id, { at: changedAt })
  return { organisationId, keys: documents.map(({ path }) => path).sort() }
})

const none = Duration.zero

export const documentMaintenanceCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "claims pending documents when their address lapses, as they are",
    check: Effect.gen(function* () {
      const { claimPending } = yield* DocumentMaintenance
      const document = yield* insertDocument(
        yield* siteInOwnOrganisation,
        { sizeBytes: null, filename: "☀️.pdf" },
        second(60)
      )
      const early = { now: DateTime.subtract(second(60), { milliseconds: 1 }), dueAgainAt: second(90), limit: 10 }
      const { organisationId } = document
      assert.deepEqual(yield* claimPending(organisationId, early), [], "not a moment before")
      const claim = { now: second(60), dueAgainAt: second(90), limit: 10 }
      const due = [{ document, addressExpiresAt: second(60) }]
      assert.deepEqual(yield* claimPending(organisationId, claim), due, "when it lapses")
      assert.deepEqual(yield* currentDocument(document), document, "a claim is no change of the document")
    })
  },
  ...inBothZones({
    name: "claims a document again only when it is due again, any number of times",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      const document = yield* insertDocument(site, {}, second(0))
      assert.deepEqual(yield* claimed(site, second(1), second(30)), idsOf(document))
      for (const early of [1, 2, 29]) {
        assert.deepEqual(
          yield* claimed(site, second(early), second(early + 30)),
          [],
          `${early}: it is claimed until 30`
        )
      }
      assert.deepEqual(
        yield* claimed(site, second(30), second(60)),
        idsOf(document),
        "the process that claimed it may be dead"
      )
      assert.deepEqual(yield* claimed(site, second(59), second(90)), [])
      assert.deepEqual(yield* claimed(site, second(60), second(90)), idsOf(document))
    })
  }),
  {
    name: "claims no more than the limit, the longest due first",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      const inTurn: Array<Document> = []
      for (const at of [3, 1, 4, 2, 5]) inTurn[at] = yield* insertDocument(site, {}, second(at))
      const [, one, two, three, four, five] = inTurn
      assert.ok(one && two && three && four && five)
      assert.deepEqual(yield* claimed(site, second(10), second(11), 2), idsOf(one, two), "the first two")
      assert.deepEqual(yield* claimed(site, second(10), second(12), 2), idsOf(three, four), "the next two")
      assert.deepEqual(yield* claimed(site, second(20), second(30), 1), idsOf(five), "what was put off comes behind")
      assert.deepEqual(yield* claimed(site, second(20), second(30), 2), idsOf(one, two), "in the order it is due again")
      assert.deepEqual(yield* claimed(site, second(20), second(30)), idsOf(three, four), "the rest")
    })
  },
  {
    name: "claims no settled or deleted document, and a reopened one when its new address expires",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const { organisationId } = site
      const documents = yield* Effect.forEach([0, 1, 2, 3, 4], () => insertDocument(site, {}, second(0)))
      const [uploaded, failed, deleted, reopened, pending] = documents
      assert.ok(uploaded && failed && deleted && reopened && pending)
      yield* applySteps(uploaded, "uploaded")
      yield* applySteps(failed, "failed")
      yield* repository.delete(organisationId, deleted.id, { at: changedAt })
      yield* applySteps(reopened, { to: "failed", lapsedAt: second(0) })
      for (const { id } of [reopened, pending]) {
        // The call with the earlier address arrives last.
        for (const addressExpiresAt of [second(60), second(30)]) {
          yield* repository.reopen(organisationId, id, { at: changedAt, addressExpiresAt })
        }
      }
      assert.deepEqual(yield* claimed(site, second(59), second(70)), [], "a new address has not lapsed yet")
      const { claimPending } = yield* DocumentMaintenance
      const found = yield* claimPending(organisationId, { now: second(60), dueAgainAt: second(90), limit: 10 })
      assert.deepEqual(found.map(({ document }) => document.id).sort(), idsOf(reopened, pending))
      for (const { addressExpiresAt } of found) assert.deepEqual(addressExpiresAt, second(60), "the last address")
    })
  },
  {
    name: "never gives the same document to two concurrent claims",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      const documents = yield* Effect.forEach(Array.from({ length: 30 }), () => insertDocument(site, {}, second(0)))
      const atOnce = yield* Effect.forEach(Array.from({ length: 6 }), () => claimed(site, second(1), second(30), 8), {
        concurrency: "unbounded"
      })
      // A claim skips items locked by a concurrent claim, so items can remain.
      const all = [...atOnce.flat(), ...(yield* claimed(site, second(1), second(30)))]
      assert.deepEqual(all.sort(), idsOf(...documents), "each of them once")
    })
  },
  {
    name: "claims the files of deleted documents until they are forgotten",
    check: Effect.gen(function* () {
      const maintenance = yield* DocumentMaintenance
      const now = yield* afterDeletions
      const at = (count: number) => DateTime.add(now, { seconds: count })
      const { keys, organisationId } = yield* filed(3)
      const claim = (count: number) => claimFiles([organisationId], at(count), at(count + 30))
      assert.deepEqual(yield* claim(0), keys, "as soon as their documents are gone")
      assert.deepEqual(yield* claim(29), [], "claimed until 30")
      assert.deepEqual(yield* claim(30), keys, "the process that claimed them may be dead")
      const [first = aDocument().path, ...others] = keys
      const [under, next] = [at(60), at(90)]
      yield* maintenance.forgetDeleted(organisationId, [], { now: at(40), claimedUntil: under, uploadsEndAfter: none })
      const doubled = [first, first, aDocument().path]
      yield* maintenance.forgetDeleted(organisationId, doubled, {
        now: at(40),
        claimedUntil: under,
        uploadsEndAfter: none
      })
      assert.deepEqual(yield* claim(60), others, "one is forgotten")
      yield* maintenance.forgetDeleted(organisationId, others, {
        now: at(70),
        claimedUntil: under,
        uploadsEndAfter: none
      })
      assert.deepEqual(yield* claim(89), [], "still under the second claim")
      yield* maintenance.forgetDeleted(organisationId, others, {
        now: at(70),
        claimedUntil: next,
        uploadsEndAfter: none
      })
      assert.deepEqual(yield* claim(1_000), [], "all are forgotten")
    })
  },
  {
    name: "never gives the same file to two concurrent claims, and no more than the limit",
    check: Effect.gen(function* () {
      const maintenance = yield* DocumentMaintenance
      const now = yield* afterDeletions
      const { keys, organisationId } = yield* filed(30)
      const claim = { now, dueAgainAt: DateTime.add(now, { seconds: 30 }), limit: 8 }
      const atOnce = yield* Effect.forEach(
        Array.from({ length: 6 }),
        () => maintenance.claimDeleted(organisationId, claim),
        {
          concurrency: "unbounded"
        }
      )
      for (const files of atOnce) assert.ok(files.length <= 8, `at most 8 files, not ${files.length}`)
      assert.deepEqual(
        [...atOnce.flat(), ...(yield* claimFiles([organisationId], now))].sort(),
        keys,
        "each of them once"
      )
    })
  },
  {
    name: "keeps a file listed until no upload can be running",
    check: Effect.gen(function* () {
      const maintenance = yield* DocumentMaintenance
      const now = yield* afterDeletions
      const at = (minutes: number) => DateTime.add(now, { minutes })
      const uploadsEndAfter = Duration.minutes(15)
      const { keys, organisationId } = yield* filed(2, at(1))
      const claim = (minutes: number) => claimFiles([organisationId], at(minutes), at(minutes + 0.5))
      assert.deepEqual(yield* claim(0), keys, "due at once, though its address still holds")
      yield* maintenance.forgetDeleted(organisationId, keys, { now: at(0), claimedUntil: at(0.5), uploadsEndAfter })
      assert.deepEqual(yield* claim(15), [], "not due while the last upload may be under way")
      assert.deepEqual(yield* claim(16), keys, "due once more when that has ended")
      yield* maintenance.forgetDeleted(organisationId, keys, { now: at(16), claimedUntil: at(16.5), uploadsEndAfter })
      assert.deepEqual(yield* claim(60), [], "forgotten now")
    })
  },
  {
    name: "measures the time of running uploads from the last address",
    check: Effect.gen(function* () {
      const [maintenance, repository] = [yield* DocumentMaintenance, yield* documentMethods]
      const now = yield* afterDeletions
      const at = (minutes: number) => DateTime.add(now, { minutes })
      const site = yield* siteInOwnOrganisation
      const { organisationId } = site
      const { id, path } = yield* insertDocument(site, {}, at(1))
      yield* repository.reopen(organisationId, id, { at: changedAt, addressExpiresAt: at(10) })
      yield* repository.delete(organisationId, id, { at: changedAt })
      const uploadsEndAfter = Duration.minutes(15)
      const under = { claimedUntil: at(30), uploadsEndAfter }
      assert.deepEqual(yield* claimFiles([organisationId], at(23), at(30)), [path])
      yield* maintenance.forgetDeleted(organisationId, [path], { now: at(24), ...under })
      assert.deepEqual(yield* claimFiles([organisationId], at(24)), [], "an upload to the last address may go on")
      assert.deepEqual(yield* claimFiles([organisationId], at(25), at(30)), [path], "due once more when that has ended")
      yield* maintenance.forgetDeleted(organisationId, [path], { now: at(25), ...under })
      assert.deepEqual(yield* claimFiles([organisationId], at(200)), [], "forgotten now")
    })
  }
]
