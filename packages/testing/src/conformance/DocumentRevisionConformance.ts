/**
 * Reading of chains of revisions in a `DocumentRepository`, and their isolation.
 */

import { type Document, type DocumentStatus, OmRecordId } from "@solar-sites/core"
import { Effect } from "effect"
import { aDocument, anOrganisationId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import {
  type DocumentPorts,
  insertDocument,
  insertDocumentIn,
  siteInOwnOrganisation,
  statuses
} from "./DocumentSetup.ts"
import { chunksOf } from "./Expectations.ts"
import { documentMethods } from "./Methods.ts"
import { insertChain, reject, remove, stored } from "./RevisionSetup.ts"
import { insertOrganisation, insertSite } from "./Setup.ts"

const revisions = Effect.fnUntraced(function* ({ id, organisationId }: Document, limit: number) {
  const { listRevisions } = yield* documentMethods
  const pages: Array<ReadonlyArray<Document>> = []
  while (true) {
    const after = pages.at(-1)?.at(-1)?.id ?? null
    const { hasMore, items } = yield* listRevisions(organisationId, id, { after, limit })
    pages.push(items)
    if (!hasMore) return pages
    assert.equal(items.length, limit, "a page that is not the last one is full")
  }
})

const isArrived = (status: DocumentStatus) => status !== "pending" && status !== "failed"

export const documentRevisionCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "lists the chain of each of its members, newest first, in pages of any size",
    check: Effect.gen(function* () {
      const { listRevisions } = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const chain = (yield* insertChain(site, 5)).toReversed()
      yield* insertChain(site, 2)
      for (const member of chain) {
        for (const limit of [1, 2, 5, 6]) {
          assert.deepEqual(yield* revisions(member, limit), chunksOf(chain, limit), `pages of ${limit}`)
        }
      }
      const pending = yield* insertDocument(site, { replaces: chain[0]?.id ?? null })
      assert.deepEqual(yield* revisions(pending, 100), [[pending, ...chain]], "a pending one begins its own list")
      assert.deepEqual(yield* revisions(chain[4] ?? pending, 100), [chain], "and is in no other")
      const page = { after: null, limit: 10 }
      const nothing = { items: [], hasMore: false }
      for (const owner of [(yield* siteInOwnOrganisation).organisationId, anOrganisationId()]) {
        assert.deepEqual(yield* listRevisions(owner, pending.id, page), nothing, "another organisation")
        assert.deepEqual(
          yield* listRevisions(owner, pending.id, { ...page, after: pending.id }),
          nothing,
          "later pages"
        )
      }
      assert.deepEqual(yield* listRevisions(site.organisationId, aDocument().id, page), nothing, "an absent document")
    })
  },
  {
    name: "lists the current documents, and those that are not",
    check: Effect.gen(function* () {
      const { list } = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const omRecordId = OmRecordId.make("om-1")
      const other = yield* insertSite(site.organisationId)
      const all: Array<Document> = [...(yield* insertChain(site, 2))]
      for (const status of statuses) all.push(yield* insertDocumentIn(other, status, { omRecordId }))
      for (const conditions of [{}, { siteId: other.id }, { omRecordId }]) {
        for (const current of [true, false]) {
          const listed = yield* list(site.organisationId, { ...conditions, current }, { after: null, limit: 100 })
          const expected = all.filter(
            (one) =>
              (isArrived(one.status) && one.replacedBy === null) === current &&
              (Object.keys(conditions).length === 0 || one.siteId === other.id)
          )
          assert.deepEqual(listed, { items: expected, hasMore: false }, JSON.stringify({ ...conditions, current }))
        }
      }
    })
  },
  {
    name: "keeps the chains of two organisations with the same ids apart",
    check: Effect.gen(function* () {
      const twins = yield* Effect.forEach([1, 2], () => insertOrganisation())
      const ids = Array.from({ length: 3 }, () => aDocument().id)
      const [one, other] = yield* Effect.forEach(twins, (organisationId) =>
        Effect.gen(function* () {
          const site = yield* insertSite(organisationId)
          const chain: Array<Document> = []
          for (const id of ids) {
            chain.push(yield* insertDocumentIn(site, "uploaded", { id, replaces: chain.at(-1)?.id ?? null }))
          }
          return yield* stored(...chain)
        })
      )
      assert.ok(one && other && one[1] && one[2], "there are two chains")
      yield* reject(one[2])
      yield* remove(one[1])
      assert.deepEqual(yield* stored(...other), other, "the other organisation keeps its chain")
      const newestFirst = other.toReversed()
      for (const member of other) {
        for (const limit of [1, 2, 10]) assert.deepEqual(yield* revisions(member, limit), chunksOf(newestFirst, limit))
      }
      const [newest = one[2], ...older] = newestFirst
      const rest = { after: newest.id, limit: 10 }
      const { items } = yield* (yield* documentMethods).listRevisions(newest.organisationId, newest.id, rest)
      assert.deepEqual(items, older, "the revisions after the newest one")
    })
  }
]
