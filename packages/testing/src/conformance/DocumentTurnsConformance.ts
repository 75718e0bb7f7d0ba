/**
 * Isolation and scheduling of organisations in a `DocumentMaintenance`.
 */

import { DocumentMaintenance, type OrganisationId } from "@solar-sites/core"
import { DateTime, Duration, Effect } from "effect"
import { aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import {
  afterDeletions,
  applySteps,
  claimFiles,
  currentDocument,
  type DocumentPorts,
  documentOf,
  farFuture,
  insertDocument,
  siteInOwnOrganisation
} from "./DocumentSetup.ts"
import { documentMethods, siteMethods } from "./Methods.ts"
import { changedAt, insertOrganisation, insertSite } from "./Setup.ts"

const start = DateTime.makeUnsafe("1990-01-01T00:00:00.250Z")
const second = (count: number) => DateTime.add(start, { seconds: count })

// More organisations than the cases of a run create.
const all = 100_000

/** The given organisations with due work, in the returned order. */
const due = Effect.fnUntraced(function* (owners: ReadonlyArray<OrganisationId>, now: DateTime.Utc) {
  const found = yield* (yield* DocumentMaintenance).findDue({ now, limit: all })
  assert.equal(new Set(found).size, found.length, "each organisation once")
  return found.filter((id) => owners.includes(id))
})

/** Two organisations with the same site and document ids. */
const twins = Effect.fnUntraced(function* (addressExpiresAt = start, twinExpiresAt = start) {
  const [one, two] = [yield* insertOrganisation(), yield* insertOrganisation()]
  const first = yield* insertSite(one)
  const second = aSite({ ...first, organisationId: two })
  yield* (yield* siteMethods).insert(two, second)
  const repository = yield* documentMethods
  const document = documentOf(first)
  const twin = documentOf(second, { id: document.id })
  yield* repository.insertMany(one, first.id, [document], addressExpiresAt)
  yield* repository.insertMany(two, second.id, [twin], twinExpiresAt)
  return [document, twin] as const
})

export const documentTurnsCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "claims and forgets deleted files of one organisation alone",
    check: Effect.gen(function* () {
      const [maintenance, repository] = [yield* DocumentMaintenance, yield* documentMethods]
      const [document, twin] = yield* twins()
      for (const { id, organisationId } of [document, twin])
        yield* repository.delete(organisationId, id, { at: changedAt })
      const now = yield* afterDeletions
      assert.deepEqual(yield* claimFiles([document.organisationId], now), [document.path])
      assert.deepEqual(yield* claimFiles([document.organisationId], now), [], "claimed, though the other one is due")
      assert.deepEqual(yield* claimFiles([twin.organisationId], now), [twin.path])
      const then = DateTime.add(now, { hours: 1 })
      const ended = { now, claimedUntil: then, uploadsEndAfter: Duration.zero }
      yield* maintenance.forgetDeleted(document.organisationId, [twin.path], ended)
      const kept = yield* claimFiles([twin.organisationId], then, then)
      assert.deepEqual(kept, [twin.path], "it is another organisation's")
      yield* maintenance.forgetDeleted(twin.organisationId, [twin.path], ended)
      assert.deepEqual(yield* claimFiles([twin.organisationId], farFuture), [])
      assert.deepEqual(yield* claimFiles([document.organisationId], farFuture), [document.path])
    })
  },
  {
    name: "finds organisations with due work, each once, the longest due first",
    check: Effect.gen(function* () {
      const sites = yield* Effect.forEach([0, 1, 2, 3, 4], () => siteInOwnOrganisation)
      const [late, early, idle, settled, deleted] = sites
      assert.ok(late && early && idle && settled && deleted)
      const owners = sites.map(({ organisationId }) => organisationId)
      for (const at of [5, 4, 6]) yield* insertDocument(late, {}, second(at))
      for (const at of [9, 3]) yield* insertDocument(early, {}, second(at))
      yield* insertDocument(idle, {}, second(60))
      yield* applySteps(yield* insertDocument(settled, {}, second(0)), "uploaded")
      assert.deepEqual(yield* due(owners, second(2)), [], "nothing is due yet")
      assert.deepEqual(yield* due(owners, second(3)), [early.organisationId])
      assert.deepEqual(yield* due(owners, second(10)), [early.organisationId, late.organisationId])

      const gone = yield* insertDocument(deleted, {}, second(0))
      yield* (yield* documentMethods).delete(gone.organisationId, gone.id, { at: changedAt })
      const now = yield* afterDeletions
      assert.deepEqual(
        new Set(yield* due(owners, now)),
        new Set([early, late, idle, deleted].map(({ organisationId }) => organisationId)),
        "a deleted file is work, too"
      )
    })
  },
  {
    name: "finds an organisation again when its claims end, and no more organisations than the limit",
    check: Effect.gen(function* () {
      const maintenance = yield* DocumentMaintenance
      const documents = yield* Effect.forEach([0, 1, 2], () =>
        Effect.flatMap(siteInOwnOrganisation, (site) => insertDocument(site, {}, second(0)))
      )
      const owners = documents.map(({ organisationId }) => organisationId)
      const [first] = owners
      assert.ok(first)
      yield* maintenance.claimPending(first, { now: second(1), dueAgainAt: second(30), limit: 10 })
      assert.deepEqual(yield* due(owners, second(29)), owners.slice(1), "claimed until 30")
      assert.equal((yield* due(owners, second(30))).at(-1), first, "claimed last, due last")
      assert.equal((yield* maintenance.findDue({ now: second(30), limit: 2 })).length, 2)
      for (const document of documents) assert.deepEqual(yield* currentDocument(document), document)
    })
  }
]
