/**
 * Claims of files in a `DocumentRepository`: files are deleted under a claim, and no document uses
 * a path that is listed for deletion.
 */

import {
  type Document,
  DocumentMaintenance,
  DocumentNotFound,
  type FileClaims,
  FileNotDeleted,
  InvalidTransition,
  VersionMismatch
} from "@solar-sites/core"
import { DateTime, Duration, Effect, Option, Result } from "effect"
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
  insertDocument,
  insertDocumentIn,
  insertRefusedDocuments,
  siteInOwnOrganisation
} from "../../src/conformance/DocumentSetup.ts"
import { race, refused, repeatedly } from "../../src/conformance/Expectations.ts"
import { documentMethods } from "../../src/conformance/Methods.ts"
import { changedAt } from "../../src/conformance/Setup.ts"
import { aDocument, anOrganisationId } from "../../src/fixtures.ts"

const atOnce = { concurrency: "unbounded" } as const
const at = (seconds: number) => DateTime.add(changedAt, { seconds })
const claimOf = (from: number, until: number) => ({ now: at(from), until: at(until) })
const options = (claimedUntil?: DateTime.Utc) => ({ at: changedAt, addressExpiresAt: farFuture, claimedUntil })

/** Inserts and deletes a document, so that its file is listed. */
const deleted = Effect.flatMap(siteInOwnOrganisation, (site) =>
  Effect.gen(function* () {
    const document = yield* insertDocument(site)
    yield* (yield* documentMethods).delete(document.organisationId, document.id, { at: changedAt })
    return { document, site }
  })
)

export const documentClaimCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "accepts a late file after nothing arrived, and none after a file was refused",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const { organisationId } = site
      const step = ({ id }: Document, to: "uploaded" | "failed", lapsedAt?: DateTime.Utc) =>
        repository.step(organisationId, id, { to, sizeBytes: 9, ...(lapsedAt && { lapsedAt }) }, { at: changedAt })
      const givenUp = { to: "failed", failureReason: "late", lapsedAt: farFuture } as const
      const late = yield* applySteps(yield* insertDocument(site), givenUp)
      const { failureReason, sizeBytes, status, version } = yield* step(late, "uploaded")
      assert.deepEqual([status, sizeBytes, failureReason, version], ["uploaded", 9, null, late.version + 1])
      const contradicting = yield* insertDocumentIn(site, "failed")
      yield* refused(step(contradicting, "failed", farFuture), InvalidTransition, "given up a second time")
      assert.equal((yield* step(contradicting, "failed")).status, "failed", "what comes late may contradict")
      const arrived = yield* insertDocumentIn(site, "uploaded")
      yield* refused(step(arrived, "failed", farFuture), InvalidTransition, "given up after its file arrived")
      assert.deepEqual(yield* currentDocument(arrived), arrived, "it stays uploaded")
      const both = yield* insertRefusedDocuments(site)
      for (const document of [both.contradicting, both.rejected, contradicting]) {
        for (const to of ["uploaded", "failed"] as const) {
          yield* refused(step(document, to), InvalidTransition, `${to} after a refusal`)
        }
      }
    })
  },
  {
    name: "fails a document with an expired address, unless a new address was issued since the claim",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const document = yield* insertDocument(yield* siteInOwnOrganisation, {}, changedAt)
      const { id, organisationId } = document
      const giveUp = (lapsedAt: DateTime.Utc) =>
        repository.step(organisationId, id, { to: "failed", failureReason: "late", lapsedAt }, { at: changedAt })
      yield* repository.reopen(organisationId, id, { at: changedAt, addressExpiresAt: farFuture })
      yield* refused(giveUp(changedAt), VersionMismatch, "an address that has been replaced")
      assert.deepEqual(yield* currentDocument(document), document, "the new address is waited for")
      assert.equal((yield* giveUp(farFuture)).status, "failed", "the last address")
    })
  },
  {
    name: "lists a file for deletion when it is refused on arrival, not when it is rejected or absent",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      yield* insertDocumentIn(site, "failed")
      const { contradicting } = yield* insertRefusedDocuments(site)
      const found = yield* claimFiles([site.organisationId], yield* afterDeletions)
      assert.deepEqual(found, [contradicting.path])
    })
  },
  {
    name: "reopens a refused document under a claim of its file, which leaves the deletion list",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const { organisationId } = site
      for (const document of Object.values(yield* insertRefusedDocuments(site))) {
        const reopen = (claimedUntil?: DateTime.Utc) =>
          repository.reopen(organisationId, document.id, options(claimedUntil))
        for (const claim of [undefined, at(30)]) yield* refused(reopen(claim), FileNotDeleted, "without a claim")
        assert.equal(yield* repository.claimFile(organisationId, document.path, claimOf(0, 30)), true, "a claim")
        for (const claim of [undefined, at(31)]) yield* refused(reopen(claim), FileNotDeleted, "another claim")
        assert.deepEqual(yield* currentDocument(document), document, "refused, it stays as it was")
        assert.equal((yield* reopen(at(30))).status, "pending", "under its claim")
        assert.equal(yield* repository.claimFile(organisationId, document.path, claimOf(1, 40)), false, "not listed")
      }
      assert.deepEqual(yield* claimFiles([organisationId], yield* afterDeletions), [])
    })
  },
  {
    name: "claims no file that is not to be deleted or belongs to another organisation",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const { rejected } = yield* insertRefusedDocuments(site)
      const gone = (yield* deleted).document
      const stranger = (yield* siteInOwnOrganisation).organisationId
      const untouched = [
        aDocument({ organisationId: site.organisationId }),
        yield* insertDocumentIn(site, "pending"),
        yield* insertDocumentIn(site, "failed"),
        yield* insertDocumentIn(site, "completed")
      ]
      for (const { organisationId, path } of untouched) {
        assert.equal(yield* repository.claimFile(organisationId, path, claimOf(0, 30)), false)
      }
      for (const owner of [stranger, anOrganisationId()]) {
        for (const { path } of [rejected, gone]) {
          assert.equal(yield* repository.claimFile(owner, path, claimOf(0, 30)), false, "it is another organisation's")
        }
      }
      yield* refused(repository.reopen(stranger, rejected.id, options(at(30))), DocumentNotFound, "a stranger's")
    })
  },
  {
    name: "lets one of several concurrent claims win",
    check: repeatedly(
      Effect.gen(function* () {
        const repository = yield* documentMethods
        const { contradicting, rejected } = yield* insertRefusedDocuments(yield* siteInOwnOrganisation)
        for (const { organisationId, path } of [contradicting, rejected, (yield* deleted).document]) {
          const claims = Array.from({ length: 6 }, (_, index) =>
            Effect.result(repository.claimFile(organisationId, path, claimOf(0, 30 + index)))
          )
          const results = yield* Effect.all(claims, atOnce)
          assert.equal(results.filter(Result.isSuccess).length, 1, "one of them has it")
        }
      })
    )
  },
  {
    name: "stores no document at a path that is listed for deletion, unless it is claimed",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const { document, site } = yield* deleted
      const { organisationId } = site
      const other = documentOf(site)
      const insert = (claims?: FileClaims) =>
        repository.insertMany(organisationId, site.id, [other, document], farFuture, claims)
      const keys = [document.path]
      yield* refused(insert(), FileNotDeleted, "the file is still to be deleted")
      yield* repository.claimFile(organisationId, document.path, claimOf(0, 30))
      for (const claims of [undefined, { keys, until: at(29) }, { keys: [other.path], until: at(30) }]) {
        yield* refused(insert(claims), FileNotDeleted, "not by this claim")
      }
      for (const one of [document, other]) assert.equal(yield* currentDocument(one), null, "all or none")
      assert.deepEqual(yield* insert({ keys, until: at(30) }), [other, document])
      assert.deepEqual(yield* claimFiles([organisationId], yield* afterDeletions), [], "it is listed no more")
    })
  },
  {
    name: "keeps the last address of a deleted document that is stored again",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const { document, site } = yield* deleted
      const { organisationId, path } = document
      yield* repository.claimFile(organisationId, path, claimOf(0, 30))
      yield* repository.insertMany(organisationId, site.id, [document], changedAt, { keys: [path], until: at(30) })
      yield* repository.delete(organisationId, document.id, { at: changedAt })
      const now = yield* afterDeletions
      const claimedUntil = DateTime.add(now, { hours: 1 })
      const keys = yield* claimFiles([organisationId], now, claimedUntil)
      const end = { now, claimedUntil, uploadsEndAfter: Duration.zero }
      yield* (yield* DocumentMaintenance).forgetDeleted(organisationId, keys, end)
      const later = DateTime.add(farFuture, { hours: 1 })
      assert.deepEqual(yield* claimFiles([organisationId], later), [path], "uploads to it may still end")
    })
  },
  {
    name: "refuses a step that was decided on an earlier document with the same id",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const { document } = yield* deleted
      const { id, organisationId, path, siteId, version } = document
      const again = aDocument({ ...document, createdAt: at(1), updatedAt: at(1) })
      yield* repository.claimFile(organisationId, path, claimOf(0, 30))
      yield* repository.insertMany(organisationId, siteId, [again], farFuture, { keys: [path], until: at(30) })
      const expected = { at: changedAt, expectedVersions: [version] }
      const step = (createdAt: DateTime.Utc) =>
        repository.step(organisationId, id, { to: "uploaded", sizeBytes: 9, createdAt }, expected)
      yield* refused(step(document.createdAt), VersionMismatch, "its version is the same")
      assert.deepEqual(yield* currentDocument(again), again, "refused, it stays as it was")
      assert.equal((yield* step(at(1))).status, "uploaded", "the document that was looked at")
    })
  },
  {
    name: "deletes no file of a document that is stored while its predecessor is deleted",
    check: repeatedly(
      Effect.gen(function* () {
        const repository = yield* documentMethods
        const site = yield* siteInOwnOrganisation
        const { organisationId } = site
        const documents = yield* Effect.forEach(Array.from({ length: 8 }), () => insertDocument(site))
        yield* Effect.forEach(
          documents,
          (document) =>
            race(
              repository.delete(organisationId, document.id, { at: changedAt }),
              repository.insertMany(organisationId, site.id, [document], farFuture)
            ),
          atOnce
        )
        const listed = new Set<string>(yield* claimFiles([organisationId], yield* afterDeletions))
        for (const document of documents) {
          const found = yield* repository.findById(organisationId, document.id)
          assert.equal(listed.has(document.path), Option.isNone(found), "a document, or a file to be deleted")
        }
      })
    )
  }
]
