/**
 * Metadata of stored documents in a `DocumentRepository`.
 */

import { CalendarDate, type Document, type DocumentChanges, DocumentNotFound, VersionMismatch } from "@solar-sites/core"
import { Effect, Result } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import {
  applySteps,
  currentDocument,
  type DocumentPorts,
  farFuture,
  insertDocument,
  insertDocumentIn,
  siteInOwnOrganisation,
  statuses
} from "../../src/conformance/DocumentSetup.ts"
import { refused } from "../../src/conformance/Expectations.ts"
import { documentMethods } from "../../src/conformance/Methods.ts"
import { changedAgainAt, hostileTexts } from "../../src/conformance/Setup.ts"
import { inBothZones } from "../../src/conformance/TimeZone.ts"
import { aDocument, anOrganisationId } from "../../src/fixtures.ts"

const [first, last] = [CalendarDate.make("2024-02-29"), CalendarDate.make("2027-12-31")]

const values: DocumentChanges = {
  filename: "Renamed.pdf",
  documentType: "insurance",
  note: "Policy 7\nsee page 2",
  validFrom: first,
  validUntil: last
}

const cleared: DocumentChanges = { documentType: null, note: null, validFrom: null, validUntil: null }

const afterChange = (before: Document, changes: DocumentChanges): Document =>
  aDocument({ ...before, ...changes, updatedAt: changedAgainAt, version: before.version + 1 })

const update = Effect.fnUntraced(function* (document: Document, changes: DocumentChanges) {
  const { update } = yield* documentMethods
  return yield* update(document.organisationId, document.id, changes, { at: changedAgainAt })
})

export const documentMetadataCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  ...inBothZones({
    name: "sets and clears metadata in every status, and nothing else",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      for (const status of statuses) {
        const before = yield* insertDocumentIn(site, status)
        const changed = yield* update(before, values)
        assert.deepEqual(changed, afterChange(before, values), status)
        assert.deepEqual(yield* currentDocument(before), changed, "the answer is what is stored")
        assert.deepEqual(yield* update(before, cleared), afterChange(changed, cleared), "null clears")
      }
    })
  }),
  {
    name: "keeps each absent member of metadata",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      for (const [name, value] of Object.entries(values)) {
        const before = yield* insertDocument(site, { ...values, [name]: name === "filename" ? "Before.pdf" : null })
        assert.deepEqual(yield* update(before, { [name]: value }), afterChange(before, { [name]: value }), name)
      }
      const document = yield* insertDocument(site)
      for (const note of hostileTexts) assert.equal((yield* update(document, { note })).note, note)
    })
  },
  {
    name: "changes nothing when all values of metadata are stored already",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      for (const before of [yield* insertDocument(site, values), yield* insertDocument(site)]) {
        const { documentType, filename, note, validFrom, validUntil } = before
        for (const same of [{}, { note }, { documentType, filename, note, validFrom, validUntil }]) {
          assert.deepEqual(yield* update(before, same), before, JSON.stringify(same))
        }
        assert.deepEqual(yield* currentDocument(before), before, "nothing is changed")
      }
    })
  },
  {
    name: "sets metadata in the same step as a status",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      const before = yield* insertDocument(site)
      const uploaded = yield* applySteps(before, { to: "uploaded", sizeBytes: 5, changes: values })
      const { documentType, filename, note, validFrom, validUntil } = uploaded
      assert.deepEqual({ documentType, filename, note, validFrom, validUntil }, values)
      assert.deepEqual([uploaded.status, uploaded.sizeBytes, uploaded.version], ["uploaded", 5, 2], "one version")
      const rejected = yield* applySteps(before, { to: "failed", failureReason: "blurred", changes: cleared })
      assert.deepEqual([rejected.note, rejected.filename, rejected.version], [null, filename, 3])
      assert.deepEqual(yield* currentDocument(before), rejected, "the answer is what is stored")
    })
  },
  {
    name: "refuses metadata of an absent document, and of a stale version",
    check: Effect.gen(function* () {
      const { update } = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const document = yield* insertDocument(site, { version: 3 })
      const strangers = [(yield* siteInOwnOrganisation).organisationId, anOrganisationId()]
      const stale = { at: changedAgainAt, expectedVersions: [2, 4] }
      const absent = [
        ...strangers.map((owner) => update(owner, document.id, { note: "1" }, { at: changedAgainAt })),
        update(site.organisationId, aDocument().id, { note: "1" }, stale)
      ]
      for (const attempt of absent) yield* refused(attempt, DocumentNotFound, "an absent document")
      for (const note of ["1", null]) {
        const { actual } = yield* refused(
          update(site.organisationId, document.id, { note }, stale),
          VersionMismatch,
          "a stale version, also when nothing would change"
        )
        assert.equal(actual, 3, "the refusal tells the version there is")
      }
      assert.deepEqual(yield* currentDocument(document), document, "a refused change changes nothing")
      const options = { at: changedAgainAt, expectedVersions: [1, 3] }
      assert.equal((yield* update(site.organisationId, document.id, { note: "1" }, options)).version, 4)
    })
  },
  {
    name: "loses no concurrent change of metadata, and lets one of the same expected version win",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const document = yield* insertDocument(yield* siteInOwnOrganisation, {}, farFuture)
      const { id, organisationId } = document
      const changes = Object.entries(values).map(([name, value]) => update(document, { [name]: value }))
      yield* Effect.all(changes, { concurrency: "unbounded", discard: true })
      assert.deepEqual(
        yield* currentDocument(document),
        aDocument({
          ...document,
          ...values,
          updatedAt: changedAgainAt,
          version: 1 + changes.length
        })
      )
      const options = { at: changedAgainAt, expectedVersions: [1 + changes.length] }
      const results = yield* Effect.forEach(
        ["a", "b", "c", "d"],
        (note) => Effect.result(repository.update(organisationId, id, { note }, options)),
        { concurrency: "unbounded" }
      )
      assert.equal(results.filter(Result.isSuccess).length, 1, "one change found the version it expected")
    })
  }
]
