/**
 * Order, limits and concurrency of claims in a `DocumentMaintenance`.
 */
import { type Document, DocumentMaintenance, type OrganisationId, type Site } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
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

const start = DateTime.makeUnsafe("1990-01-01T00:00:00.250Z")
const second = (count: number) => DateTime.add(start, { seconds: count })

const claimed = Effect.fnUntraced(function* (site: Site, now: DateTime.Utc, dueAgainAt: DateTime.Utc, limit = 100) {
  const pending = yield* (yield* DocumentMaintenance).claimPending(site.organisationId, { now, dueAgainAt, limit })
  return pending.map(({ document }) => document.id).sort()
})

const idsOf = (...documents: ReadonlyArray<Document>) => documents.map(({ id }) => id).sort()

/** The given organisations with due work, in the returned order. */
const due = Effect.fnUntraced(function* (owners: ReadonlyArray<OrganisationId>, now: DateTime.Utc) {
  // More organisations than the cases of a run create.
  const found = yield* (yield* DocumentMaintenance).findDue({ now, limit: 100_000 })
  assert.equal(new Set(found).size, found.length, "each organisation once")
  return found.filter((id) => owners.includes(id))
})

const remove = ({ id, organisationId }: Document) =>
  Effect.flatMap(documentMethods, (all) => all.delete(organisationId, id, { at: changedAt }))

const sixTimes = <A, E, R>(claim: Effect.Effect<ReadonlyArray<A>, E, R>) =>
  Effect.all(
    Array.from({ length: 6 }, () => claim),
    { concurrency: "unbounded" }
  )

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
    name: "never gives the same document or file to two concurrent claims, and no more than the limit",
    check: Effect.gen(function* () {
      const { claimDeleted } = yield* DocumentMaintenance
      const site = yield* siteInOwnOrganisation
      const documents = yield* Effect.forEach(Array.from({ length: 30 }), () => insertDocument(site, {}, second(0)))
      const pending = yield* sixTimes(claimed(site, second(1), second(30), 8))
      // A claim skips items locked by a concurrent claim, so items can remain.
      const all = [...pending.flat(), ...(yield* claimed(site, second(1), second(30)))]
      assert.deepEqual(all.sort(), idsOf(...documents), "each document once")
      for (const document of documents) yield* remove(document)
      const now = yield* afterDeletions
      const claim = { now, dueAgainAt: DateTime.add(now, { seconds: 30 }), limit: 8 }
      const files = yield* sixTimes(claimDeleted(site.organisationId, claim))
      for (const some of files) assert.ok(some.length <= 8, `at most 8 files, not ${some.length}`)
      const keys = [...files.flat(), ...(yield* claimFiles([site.organisationId], now))]
      assert.deepEqual(keys.sort(), documents.map(({ path }) => path).sort(), "each file once")
    })
  },
  {
    name: "finds organisations with due work, each once, the longest due first, and again when their claims end",
    check: Effect.gen(function* () {
      const { claimPending, findDue } = yield* DocumentMaintenance
      const sites = yield* Effect.forEach([0, 1, 2, 3, 4], () => siteInOwnOrganisation)
      const [late, early, idle, settled, deleted] = sites
      assert.ok(late && early && idle && settled && deleted)
      const owners = sites.map(({ organisationId }) => organisationId)
      for (const at of [5, 4, 6]) yield* insertDocument(late, {}, second(at))
      const document = yield* insertDocument(early, {}, second(3))
      yield* insertDocument(idle, {}, second(60))
      yield* applySteps(yield* insertDocument(settled, {}, second(0)), "uploaded")
      assert.deepEqual(yield* due(owners, second(2)), [], "nothing is due yet")
      assert.deepEqual(yield* due(owners, second(3)), [early.organisationId])
      assert.deepEqual(yield* due(owners, second(10)), [early.organisationId, late.organisationId])
      assert.equal((yield* findDue({ now: second(10), limit: 1 })).length, 1, "no more than the limit")
      yield* claimPending(early.organisationId, { now: second(10), dueAgainAt: second(30), limit: 10 })
      assert.deepEqual(yield* due(owners, second(29)), [late.organisationId], "claimed until 30")
      assert.deepEqual(yield* due(owners, second(30)), [late.organisationId, early.organisationId], "due last")
      assert.deepEqual(yield* currentDocument(document), document, "a claim changes nothing that callers see")

      yield* remove(yield* insertDocument(deleted, {}, second(0)))
      const again = yield* due(owners, yield* afterDeletions)
      const expected = [early, late, idle, deleted].map(({ organisationId }) => organisationId)
      assert.deepEqual(again.toSorted(), expected.toSorted(), "a deleted file is work, too")
    })
  }
]
