/**
 * Documents of a site, and look-ups of several.
 */

import { SiteNotFound } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import {
  currentDocument,
  type DocumentPorts,
  documentOf,
  farFuture,
  insertDocument,
  siteInOwnOrganisation
} from "../../src/conformance/DocumentSetup.ts"
import { refused } from "../../src/conformance/Expectations.ts"
import { documentMethods } from "../../src/conformance/Methods.ts"
import { insertSite } from "../../src/conformance/Setup.ts"
import { aDocument, aSite } from "../../src/fixtures.ts"

const everything = { after: null, limit: 1_000 }

export const documentInsertCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "finds which of some ids are documents of the organisation",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const [first, second] = [yield* insertDocument(site), yield* insertDocument(site)]
      const foreign = yield* insertDocument(yield* siteInOwnOrganisation)
      const asked = [first.id, aDocument().id, foreign.id, second.id, first.id]
      const existing = yield* repository.findExisting(site.organisationId, asked)
      assert.deepEqual(existing, new Set([first.id, second.id]))
      assert.deepEqual(yield* repository.findExisting(site.organisationId, []), new Set(), "none of none")
    })
  },
  {
    name: "refuses documents of a site that the organisation does not have, also when there is nothing to store",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const { organisationId } = yield* siteInOwnOrganisation
      const foreign = yield* siteInOwnOrganisation
      for (const site of [aSite({ organisationId }), aSite({ ...foreign, organisationId }), aSite()]) {
        for (const documents of [[], [documentOf(site), documentOf(site)]]) {
          const insert = repository.insertMany(site.organisationId, site.id, documents, farFuture)
          const { siteIds } = yield* refused(insert, SiteNotFound, `${documents.length} documents of no site`)
          assert.deepEqual(siteIds, [site.id], "the refusal names the site")
          for (const document of documents) assert.equal(yield* currentDocument(document), null, "nothing is stored")
        }
      }
      const { id } = yield* insertSite(organisationId)
      yield* repository.insertMany(organisationId, id, [], farFuture)
      assert.deepEqual((yield* repository.list(organisationId, {}, everything)).items, [], "nothing of nothing")
    })
  }
]
