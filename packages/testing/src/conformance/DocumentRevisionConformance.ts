/**
 * Reading of chains of revisions in a `DocumentRepository`.
 */

import type { Document } from "@solar-sites/core"
import { Effect } from "effect"
import { aDocument, anOrganisationId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { type DocumentPorts, insertDocument, siteInOwnOrganisation } from "./DocumentSetup.ts"
import { chunksOf } from "./Expectations.ts"
import { documentMethods } from "./Methods.ts"
import { insertChain } from "./RevisionSetup.ts"

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
  }
]
