/**
 * Deletion of documents, alone and with their site, and the cover of a site, in a
 * `DocumentRepository`.
 */

import { type Document, DocumentNotFound, type Site, VersionMismatch } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import {
  afterDeletions,
  applySteps,
  claimFiles,
  type DocumentPorts,
  insertDocument,
  insertDocumentIn,
  siteInOwnOrganisation,
  statuses
} from "../../src/conformance/DocumentSetup.ts"
import { race, refused, repeatedly, succeededOrRefused } from "../../src/conformance/Expectations.ts"
import { documentMethods, siteMethods } from "../../src/conformance/Methods.ts"
import { changedAgainAt, changedAt, currentSite, insertSite } from "../../src/conformance/Setup.ts"
import { aSite } from "../../src/fixtures.ts"

const everything = { after: null, limit: 1_000 }
const atOnce = { concurrency: "unbounded" } as const

const pathsOf = (documents: ReadonlyArray<Document>) => documents.map(({ path }) => path).sort()

const covered = (site: Site, coverImageUrl: string | null, version: number, updatedAt = changedAt): Site =>
  aSite({ ...site, coverImageUrl, updatedAt, version })

export const documentDeletionCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "makes a cover image its site's cover when it is uploaded, the latest in place of the one before",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      const bystander = yield* insertSite(site.organisationId)
      const [first, second] = [
        yield* insertDocument(site, { type: "coverImage" }),
        yield* insertDocument(site, { type: "coverImage" })
      ]
      assert.deepEqual(yield* currentSite(site), site, "a pending cover image is no cover yet")
      yield* applySteps(second, "uploaded")
      assert.deepEqual(yield* currentSite(site), covered(site, second.path, 2), "a change of the site, which counts")
      yield* applySteps(first, "uploaded")
      assert.deepEqual(yield* currentSite(site), covered(site, first.path, 3), "the latest to be uploaded wins")
      yield* applySteps(first, "approved", "completed")
      assert.deepEqual(
        yield* currentSite(site),
        covered(site, first.path, 3),
        "further steps are no change of the site"
      )
      yield* applySteps(yield* insertDocument(site, { type: "coverImage" }), "failed")
      for (const type of ["report", "om-documents", "documents"] as const)
        yield* insertDocumentIn(site, "uploaded", { type })
      assert.deepEqual(yield* currentSite(site), covered(site, first.path, 3), "nothing else is a cover")
      assert.deepEqual(yield* currentSite(bystander), bystander, "other sites stay as they were")
    })
  },
  {
    name: "removes a rejected cover image from its site, and no other cover",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      const [replaced, current] = [
        yield* insertDocumentIn(site, "uploaded", { type: "coverImage" }),
        yield* insertDocumentIn(site, "uploaded", { type: "coverImage" })
      ]
      yield* applySteps(replaced, "failed")
      assert.deepEqual(yield* currentSite(site), covered(site, current.path, 3), "it was no cover any more")
      yield* applySteps(current, "failed")
      assert.deepEqual(yield* currentSite(site), covered(site, null, 4), "a change of the site, which counts")
    })
  },
  {
    name: "leaves the site as it is when the step of its cover image is refused",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const document = yield* insertDocument(site, { type: "coverImage" })
      const stale = { at: changedAt, expectedVersions: [9] }
      yield* refused(
        repository.step(site.organisationId, document.id, { to: "uploaded" }, stale),
        VersionMismatch,
        "a stale step"
      )
      yield* applySteps(document, "failed")
      yield* Effect.exit(repository.step(site.organisationId, document.id, { to: "uploaded" }, { at: changedAt }))
      assert.deepEqual(yield* currentSite(site), site, "what was not uploaded is no cover")
    })
  },
  {
    name: "removes the cover of a site when its document is deleted, and no other cover",
    check: Effect.gen(function* () {
      const [repository, sites] = [yield* documentMethods, yield* siteMethods]
      const site = yield* siteInOwnOrganisation
      const { organisationId } = site
      const remove = ({ id }: Document) => repository.delete(organisationId, id, { at: changedAgainAt })
      const older = yield* insertDocumentIn(site, "uploaded", { type: "coverImage" })
      const latest = yield* insertDocumentIn(site, "uploaded", { type: "coverImage" })
      yield* remove(older)
      assert.deepEqual(yield* currentSite(site), covered(site, latest.path, 3), "it was the cover no more")
      yield* remove(latest)
      assert.deepEqual(
        yield* currentSite(site),
        covered(site, null, 4, changedAgainAt),
        "none afterwards, which counts"
      )
      const replaced = yield* insertDocumentIn(site, "uploaded", { type: "coverImage" })
      const coverImageUrl = "https://images.example/a.jpg"
      yield* sites.update(organisationId, site.id, { coverImageUrl }, { at: changedAt })
      yield* remove(replaced)
      assert.deepEqual(yield* currentSite(site), covered(site, coverImageUrl, 6), "a caller has chosen another one")
      const detached = yield* insertDocumentIn(site, "uploaded", { type: "coverImage" })
      yield* sites.update(organisationId, site.id, { coverImageUrl: null }, { at: changedAt })
      yield* remove(detached)
      assert.deepEqual(yield* currentSite(site), covered(site, null, 8), "a caller has detached it")
    })
  },
  {
    name: "loses no change of the site when a cover image arrives at the same time",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* siteMethods
        const site = yield* siteInOwnOrganisation
        const covers = [
          yield* insertDocument(site, { type: "coverImage" }),
          yield* insertDocument(site, { type: "coverImage" })
        ]
        const steps = covers.map((document) => Effect.asVoid(applySteps(document, "uploaded")))
        const rename = Effect.asVoid(
          sites.update(site.organisationId, site.id, { siteName: "Renamed" }, { at: changedAt })
        )
        yield* Effect.all([...steps, rename], atOnce)
        const now = yield* currentSite(site)
        assert.deepEqual([now?.siteName, now?.version], ["Renamed", 4], "every change is there, and counted")
        assert.ok(
          pathsOf(covers).some((path) => path === now?.coverImageUrl),
          `one of both is the cover, not ${now?.coverImageUrl}`
        )
      })
    )
  },
  {
    name: "deletes a document in any state, once, and lists its file",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const { organisationId } = site
      const kept = yield* insertDocument(site)
      const documents = yield* Effect.forEach(statuses, (status) => insertDocumentIn(site, status))
      for (const { id, version } of documents) {
        for (const expectedVersions of [[version + 1], []]) {
          const remove = repository.delete(organisationId, id, { at: changedAgainAt, expectedVersions })
          const stale = yield* refused(remove, VersionMismatch, `a delete of ${JSON.stringify(expectedVersions)}`)
          assert.equal(stale.actual, version, "the refusal tells the version there is")
        }
      }
      assert.deepEqual((yield* repository.list(organisationId, {}, everything)).items, [kept, ...documents])
      assert.deepEqual(yield* claimFiles([organisationId], yield* afterDeletions), [], "a refused delete lists nothing")
      for (const { id, version } of documents) {
        yield* repository.delete(organisationId, id, { at: changedAgainAt, expectedVersions: [9, version] })
        yield* refused(
          repository.delete(organisationId, id, { at: changedAgainAt }),
          DocumentNotFound,
          "a second delete"
        )
      }
      assert.deepEqual((yield* repository.list(organisationId, {}, everything)).items, [kept], "others stay")
      assert.deepEqual(yield* claimFiles([organisationId], yield* afterDeletions), pathsOf(documents), "their files")
      assert.deepEqual(yield* currentSite(site), site, "the site stays as it was")
    })
  },
  {
    name: "lets one of two concurrent deletes succeed",
    check: repeatedly(
      Effect.gen(function* () {
        const repository = yield* documentMethods
        const { id, organisationId } = yield* insertDocument(yield* siteInOwnOrganisation)
        const remove = repository.delete(organisationId, id, { at: changedAt })
        const results = yield* race(remove, remove)
        const wins = results.map((result) =>
          succeededOrRefused(result, DocumentNotFound, "the other one finds nothing")
        )
        assert.deepEqual(wins.sort(), [false, true], "one of them deleted it")
      })
    )
  }
]
