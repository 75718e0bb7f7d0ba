/**
 * Deletion of a site with its documents in a `SiteRepository`.
 */

import { type Document, SiteNotFound } from "@solar-sites/core"
import { Effect } from "effect"
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
  insertDocumentIn,
  siteInOwnOrganisation,
  statuses
} from "./DocumentSetup.ts"
import { repeatedly, succeeded, succeededOrRefused } from "./Expectations.ts"
import { documentMethods, siteMethods } from "./Methods.ts"
import { insertSite } from "./Setup.ts"

const everything = { after: null, limit: 1_000 }
const atOnce = { concurrency: "unbounded" } as const

const pathsOf = (documents: ReadonlyArray<Document>) => documents.map(({ path }) => path).sort()

export const siteCascadeCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "deletes the documents of a deleted site and lists their files",
    check: Effect.gen(function* () {
      const [repository, sites] = [yield* documentMethods, yield* siteMethods]
      const site = yield* siteInOwnOrganisation
      const { organisationId } = site
      const bystander = yield* insertDocument(yield* insertSite(organisationId))
      const gone = yield* Effect.forEach(statuses, (status) => insertDocumentIn(site, status, { type: "coverImage" }))
      yield* Effect.exit(sites.delete(organisationId, site.id, [999]))
      assert.equal((yield* repository.list(organisationId, {}, everything)).items.length, 6, "a refused delete")
      yield* sites.delete(organisationId, site.id)
      for (const document of gone) assert.equal(yield* currentDocument(document), null)
      assert.deepEqual((yield* repository.list(organisationId, {}, everything)).items, [bystander], "others stay")
      assert.deepEqual(yield* claimFiles([organisationId], yield* afterDeletions), pathsOf(gone), "their files, all")
    })
  },
  {
    name: "leaves no document without a site and no file unlisted when inserts and the deletion of the site are concurrent",
    check: repeatedly(
      Effect.gen(function* () {
        const [repository, sites] = [yield* documentMethods, yield* siteMethods]
        const site = yield* siteInOwnOrganisation
        const { organisationId } = site
        const before = yield* insertDocument(site, { type: "coverImage" })
        const batches = Array.from({ length: 6 }, () => [documentOf(site), documentOf(site)])
        const insert = (batch: ReadonlyArray<Document>) =>
          Effect.result(repository.insertMany(organisationId, site.id, batch, farFuture))
        // Some inserts start before the delete, others after it.
        const [early, deleted, , late] = yield* Effect.all(
          [
            Effect.forEach(batches.slice(0, 3), insert, atOnce),
            Effect.result(sites.delete(organisationId, site.id)),
            Effect.result(applySteps(before, "uploaded")),
            Effect.forEach(batches.slice(3), insert, atOnce)
          ],
          atOnce
        )
        succeeded(deleted, "the site can be deleted")
        const inserted = [...early, ...late].map((result) =>
          succeededOrRefused(result, SiteNotFound, "an insert is too late for the site")
        )
        const came = batches.filter((_, index) => inserted[index])
        assert.deepEqual((yield* repository.list(organisationId, {}, everything)).items, [], "no document is left")
        const vanished = pathsOf([before, ...came.flat()])
        assert.deepEqual(yield* claimFiles([organisationId], yield* afterDeletions), vanished, "every file is listed")
      })
    )
  }
]
