/**
 * Insertion of an existing id changes nothing, so that a retried request with the same ids leaves
 * no duplicate.
 */

import type { Document, OrganisationId, Site } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import {
  currentDocument,
  type DocumentPorts,
  documentOf,
  farFuture,
  insertDocumentIn,
  siteInOwnOrganisation
} from "../../src/conformance/DocumentSetup.ts"
import { repeatedly } from "../../src/conformance/Expectations.ts"
import { documentMethods, siteMethods } from "../../src/conformance/Methods.ts"
import {
  changedAt,
  currentSite,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  type RecordPorts
} from "../../src/conformance/Setup.ts"
import { aDocument, aPortfolio, aSite } from "../../src/fixtures.ts"

const everything = { after: null, limit: 100 }
const names = Array.from({ length: 10 }, (_, index) => `Attempt ${index}`)
const atOnce = { concurrency: "unbounded" } as const

export const siteRepeatedInsertCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "leaves a site unchanged when its id is inserted again, and returns it",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      const first = yield* insertSite(organisationId)
      const changed = yield* sites.update(organisationId, first.id, { siteName: "Changed" }, { at: changedAt })
      for (const again of [first, aSite({ ...first, siteName: "Again", capacity: 1, portfolioId })]) {
        assert.deepEqual(yield* sites.insert(organisationId, again), changed, "the answer is what is stored")
        assert.deepEqual(yield* currentSite(first), changed, "what is stored stays as it was")
      }
      const nowhere = aSite({ ...first, portfolioId: aPortfolio().id })
      assert.deepEqual(yield* sites.insert(organisationId, nowhere), changed, "nothing about it is looked at")
      assert.deepEqual(yield* sites.list(organisationId, {}, everything), { items: [changed], hasMore: false })
    })
  },
  {
    name: "returns a new site as inserted, whether or not another organisation has its id",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const theirs = yield* insertSite(yield* insertOrganisation(), { siteName: "Theirs", version: 3 })
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      for (const own of [aSite({ organisationId }), aSite({ organisationId, portfolioId, id: theirs.id })]) {
        assert.deepEqual(yield* sites.insert(organisationId, own), own, "the answer is the site inserted")
        assert.deepEqual(yield* currentSite(own), own, "and it is stored")
      }
      assert.deepEqual(yield* currentSite(theirs), theirs, "the other organisation's stays as it was")
    })
  },
  {
    name: "stores one site and returns it to all of ten concurrent inserts of one id",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* siteMethods
        const organisationId = yield* insertOrganisation()
        const { id } = aSite()
        const answers = yield* Effect.forEach(
          names,
          (siteName) => sites.insert(organisationId, aSite({ id, organisationId, siteName })),
          atOnce
        )
        const { items } = yield* sites.list(organisationId, {}, everything)
        assert.equal(items.length, 1, "one site is stored")
        for (const answer of answers) assert.deepEqual(answer, items[0], "every answer is the site that is stored")
      })
    )
  }
]

const listed = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  return (yield* (yield* documentMethods).list(organisationId, {}, everything)).items
})

const insertInto = Effect.fnUntraced(function* ({ id, organisationId }: Site, documents: ReadonlyArray<Document>) {
  return yield* (yield* documentMethods).insertMany(organisationId, id, documents, farFuture)
})

export const documentRepeatedInsertCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "leaves documents unchanged when their ids are inserted again, and returns the stored ones in order",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      const [pending, uploaded] = [yield* insertDocumentIn(site, "pending"), yield* insertDocumentIn(site, "uploaded")]
      const fresh = [documentOf(site), documentOf(site)] as const
      const again = [uploaded, pending].map(({ id, path }) => documentOf(site, { id, path, filename: "Again.pdf" }))
      const batch = [fresh[1], ...again, fresh[0]]
      const expected = [fresh[1], uploaded, pending, fresh[0]]
      for (const answer of [yield* insertInto(site, batch), yield* insertInto(site, batch)]) {
        assert.deepEqual(answer, expected, "the answer is what is stored, in the order asked for")
      }
      assert.deepEqual(yield* listed(site.organisationId), [pending, uploaded, ...fresh], "and all stays as it was")
    })
  },
  {
    name: "returns new documents as inserted, whether or not another organisation has their ids",
    check: Effect.gen(function* () {
      const theirs = yield* insertDocumentIn(yield* siteInOwnOrganisation, "uploaded", { filename: "Theirs.pdf" })
      const site = yield* siteInOwnOrganisation
      const { id, organisationId } = site
      const path = aDocument({ organisationId, siteId: id, id: theirs.id }).path
      const batch = [documentOf(site, { id: theirs.id, path }), documentOf(site)]
      assert.deepEqual(yield* insertInto(site, batch), batch, "the answer is those inserted")
      assert.deepEqual(yield* listed(organisationId), batch, "and they are stored")
      assert.deepEqual(yield* currentDocument(theirs), theirs, "the other organisation's stays as it was")
    })
  },
  {
    name: "stores each document once and returns it to all of ten concurrent inserts",
    check: repeatedly(
      Effect.gen(function* () {
        const site = yield* siteInOwnOrganisation
        const both = [documentOf(site), documentOf(site)]
        const batchOf = (filename: string, index: number) => {
          const batch = both.map(({ id, path }) => documentOf(site, { id, path, filename }))
          return index % 2 === 0 ? batch : batch.toReversed()
        }
        const answers = yield* Effect.forEach(names, (name, index) => insertInto(site, batchOf(name, index)), atOnce)
        const items = yield* listed(site.organisationId)
        assert.equal(items.length, 2, "each is stored once")
        for (const [index, answer] of answers.entries()) {
          assert.deepEqual(answer, index % 2 === 0 ? items : items.toReversed(), "every answer is what is stored")
        }
      })
    )
  }
]
