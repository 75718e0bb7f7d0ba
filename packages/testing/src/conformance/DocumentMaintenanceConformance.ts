/**
 * Claims of due work within one organisation in a `DocumentMaintenance`.
 */

import { type Document, DocumentMaintenance, type Site } from "@solar-sites/core"
import { DateTime, Duration, Effect } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import {
  afterDeletions,
  claimFiles,
  type DocumentPorts,
  insertDocument,
  siteInOwnOrganisation
} from "./DocumentSetup.ts"
import { documentMethods } from "./Methods.ts"
import { changedAt } from "./Setup.ts"

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

export const documentMaintenanceCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
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
  }
]
