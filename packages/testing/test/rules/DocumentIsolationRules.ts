/**
 * Commands about documents where another organisation has documents with the same ids.
 */

import { type Document, DocumentNotFound, VersionMismatch } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import {
  afterDeletions,
  applySteps,
  claimFiles,
  currentDocument,
  type DocumentPorts,
  documentOf,
  farFuture,
  insertDocument
} from "../../src/conformance/DocumentSetup.ts"
import { refused } from "../../src/conformance/Expectations.ts"
import { documentMethods, siteMethods } from "../../src/conformance/Methods.ts"
import { changedAgainAt, changedAt, currentSite, insertOrganisation, insertSite } from "../../src/conformance/Setup.ts"
import { aDocument, aSite } from "../../src/fixtures.ts"
import { forEitherTwin } from "./DocumentTwins.ts"

export const documentIsolationCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "changes the status of an organisation's own documents where another one has the same ids",
    check: forEitherTwin(({ organisationId, paper, picture, site }, other) =>
      Effect.gen(function* () {
        const { reopen, step } = yield* documentMethods
        const stale = { at: changedAt, expectedVersions: [other.paper.version + 1] }
        const late = step(organisationId, paper.id, { to: "failed" }, stale)
        const { actual } = yield* refused(late, VersionMismatch, "the version of the other document")
        assert.equal(actual, paper.version, "the refusal tells the version of the organisation's own document")
        const changed = (document: Document, members: Partial<Document>, steps: number) =>
          aDocument({ ...document, ...members, updatedAt: changedAt, version: document.version + steps })
        const failed = yield* step(organisationId, paper.id, { to: "failed", lapsedAt: farFuture }, { at: changedAt })
        assert.deepEqual(failed, changed(paper, { status: "failed" }, 1), "a step")
        const pending = yield* reopen(organisationId, paper.id, { at: changedAt, addressExpiresAt: farFuture })
        assert.deepEqual(pending, changed(paper, {}, 2), "reopening")
        assert.deepEqual(yield* currentDocument(paper), pending, "what is stored")

        const covered = (coverImageUrl: string | null, changes: number) =>
          aSite({ ...site, coverImageUrl, updatedAt: changedAt, version: site.version + changes })
        yield* applySteps(picture, "uploaded")
        assert.deepEqual(yield* currentSite(site), covered(picture.path, 1), "the cover of its own site")
        yield* applySteps(picture, "failed")
        assert.deepEqual(yield* currentSite(site), covered(null, 2), "no cover of its own site")
      })
    )
  },
  {
    name: "deletes an organisation's own documents where another one has the same ids",
    check: forEitherTwin(({ organisationId, paper, picture, secondPaper, site }, other) =>
      Effect.gen(function* () {
        const [repository, sites] = [yield* documentMethods, yield* siteMethods]
        const stale = { at: changedAt, expectedVersions: [other.paper.version + 1] }
        const late = repository.delete(organisationId, paper.id, stale)
        const { actual } = yield* refused(late, VersionMismatch, "the version of the other document")
        assert.equal(actual, paper.version, "the refusal tells the version of the organisation's own document")
        yield* applySteps(picture, "uploaded")
        yield* repository.delete(organisationId, picture.id, { at: changedAgainAt })
        assert.equal((yield* currentSite(site))?.coverImageUrl, null, "the cover goes with its document")
        const second = repository.delete(organisationId, picture.id, { at: changedAt })
        yield* refused(second, DocumentNotFound, "a second delete")
        yield* sites.delete(organisationId, site.id)
        assert.equal(yield* currentDocument(paper), null, "a document goes with its site")
        const files = yield* claimFiles([organisationId], yield* afterDeletions)
        assert.deepEqual(files, [picture, paper, secondPaper].map(({ path }) => path).sort(), "its own files")
      })
    )
  },
  {
    name: "inserts a document without the listed file of another organisation with the same ids",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const [organisationId, other] = [yield* insertOrganisation(), yield* insertOrganisation()]
      const site = yield* insertSite(organisationId)
      const deleted = yield* insertDocument(yield* insertSite(other, { id: site.id }))
      yield* repository.delete(other, deleted.id, { at: changedAt })
      const until = yield* afterDeletions
      assert.equal(yield* repository.claimFile(other, deleted.path, { now: changedAt, until }), true, "it is listed")
      const document = documentOf(site, { id: deleted.id })
      yield* repository.insertMany(organisationId, site.id, [document], farFuture, {
        keys: [document.path, deleted.path],
        until
      })
      const files = yield* claimFiles([other], DateTime.add(until, { hours: 1 }))
      assert.deepEqual(files, [deleted.path], "the file of the other organisation stays listed")
    })
  }
]
