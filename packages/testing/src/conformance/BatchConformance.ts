/**
 * Batches are visible completely or not at all, and a page has the requested size.
 */

import type { Page, PageRequest } from "@solar-sites/core"
import { Effect } from "effect"
import { aPortfolio, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { type DocumentPorts, documentOf, farFuture, siteInOwnOrganisation } from "./DocumentSetup.ts"
import { chunksOf, fetchPages, repeatedly } from "./Expectations.ts"
import { documentMethods, portfolioMethods, siteMethods } from "./Methods.ts"
import { changedAt, insertOrganisation, insertPortfolio, insertSites, type RecordPorts } from "./Setup.ts"

const everything = { after: null, limit: 1_000 }
const ofMany = <A>(count: number, make: () => A): ReadonlyArray<A> => Array.from({ length: count }, make)

/** Counts repeatedly during the change, until a part is seen: a reader sees all of it or nothing. */
const expectAtomic = Effect.fnUntraced(function* <E, R, E2, R2>(
  change: Effect.Effect<unknown, E, R>,
  seen: Effect.Effect<number, E2, R2>,
  size: number
) {
  let isDone = false
  const parts = new Set<number>()
  const count = Effect.map(seen, (found) => found === 0 || found === size || parts.add(found))
  const counting = Effect.gen(function* () {
    do {
      yield* count
      yield* Effect.yieldNow
    } while (!isDone && parts.size === 0)
    yield* count
  })
  const changing = Effect.ensuring(
    change,
    Effect.sync(() => {
      isDone = true
    })
  )
  yield* Effect.all([counting, changing], { concurrency: "unbounded" })
  assert.deepEqual([...parts], [], `a reader sees 0 or ${size} of them, no part`)
})

/** Pages of one item more than the maximum page size. */
const inThousands = Effect.fnUntraced(function* <Item extends { readonly id: string }, E, R>(
  list: (page: PageRequest<Item["id"]>) => Effect.Effect<Page<Item>, E, R>,
  expected: ReadonlyArray<Item>
) {
  const pages = yield* fetchPages(list, 1_000)
  assert.deepEqual(
    pages.map((items) => items.map(({ id }) => id)),
    chunksOf(expected, 1_000).map((items) => items.map(({ id }) => id)),
    "pages of a thousand"
  )
})

export const siteBatchCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "lists a page of a thousand",
    check: Effect.gen(function* () {
      const { insert, list } = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const sites = ofMany(1_001, () => aSite({ organisationId }))
      yield* Effect.forEach(sites, (site) => insert(organisationId, site), { concurrency: 50, discard: true })
      yield* inThousands((page) => list(organisationId, {}, page), sites)
    })
  }
]

export const portfolioBatchCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "lists a page of a thousand, with sites too",
    check: Effect.gen(function* () {
      const { insertMany, list, listWithSites } = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const portfolios = ofMany(1_001, () => aPortfolio({ organisationId }))
      yield* insertMany(organisationId, portfolios)
      yield* inThousands((page) => list(organisationId, {}, page), portfolios)
      const piece = yield* listWithSites(organisationId, everything)
      assert.deepEqual([piece.items.length, piece.hasMore], [1_000, true], "a piece of a thousand rows")
    })
  },
  {
    name: "shows all sites of one move at the same time",
    check: repeatedly(
      Effect.gen(function* () {
        const { addSites, removeSites } = yield* portfolioMethods
        const { list } = yield* siteMethods
        const organisationId = yield* insertOrganisation()
        const { id: portfolioId } = yield* insertPortfolio(organisationId)
        const ids = (yield* insertSites(organisationId, 30)).map(({ id }) => id)
        const seen = Effect.map(list(organisationId, { portfolioId }, everything), ({ items }) => items.length)
        yield* expectAtomic(addSites(organisationId, portfolioId, ids, { at: changedAt }), seen, 30)
        yield* expectAtomic(removeSites(organisationId, portfolioId, ids, { at: changedAt }), seen, 30)
      })
    )
  }
]

export const documentBatchCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "lists a page of a thousand, and shows all documents of one insert at the same time",
    check: Effect.gen(function* () {
      const { insertMany, list } = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const { organisationId } = site
      const documents = ofMany(1_001, () => documentOf(site))
      const seen = Effect.map(list(organisationId, {}, { after: null, limit: 1_001 }), ({ items }) => items.length)
      yield* expectAtomic(insertMany(organisationId, site.id, documents, farFuture), seen, 1_001)
      yield* inThousands((page) => list(organisationId, {}, page), documents)
    })
  }
]
