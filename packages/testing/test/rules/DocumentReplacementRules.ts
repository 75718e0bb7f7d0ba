/**
 * Replacement of documents in a `DocumentRepository`: how documents join and leave chains.
 */

import type { Document } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import {
  afterDeletions,
  applySteps,
  claimFiles,
  type DocumentPorts,
  documentOf,
  farFuture,
  insertDocument,
  insertDocumentIn,
  siteInOwnOrganisation,
  statuses
} from "../../src/conformance/DocumentSetup.ts"
import { documentMethods } from "../../src/conformance/Methods.ts"
import { changedAgainAt, changedAt } from "../../src/conformance/Setup.ts"
import { aDocument } from "../../src/fixtures.ts"
import { insertChain, linksOf, reject, remove, stored } from "./RevisionSetup.ts"

/** The documents after a change of the links, or unchanged. */
const relinked = (document: Document, links: Partial<Document>, at = changedAgainAt): Document =>
  aDocument({ ...document, ...links, updatedAt: at, version: document.version + 1 })

export const documentReplacementCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "links a document and the one it replaces when it is uploaded, and not before",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      for (const status of statuses) {
        const old = yield* insertDocumentIn(site, status)
        const pending = yield* insertDocument(site, { replaces: old.id })
        assert.deepEqual(yield* stored(old, pending), [old, pending], "both are unaffected")
        const uploaded = yield* applySteps(pending, { to: "uploaded", sizeBytes: 3 })
        assert.deepEqual([uploaded.status, uploaded.replaces, uploaded.version], ["uploaded", old.id, 2], status)
        const expected = [relinked(old, { replacedBy: pending.id }, changedAt), uploaded]
        assert.deepEqual(yield* stored(old, pending), expected, "only the link of the old one changes")
        yield* applySteps(pending, "approved", "completed")
        assert.deepEqual((yield* stored(old))[0], expected[0], "later steps leave it")
      }
    })
  },
  {
    name: "makes the second successor of a document failed, and lists its file",
    check: Effect.gen(function* () {
      const { reopen } = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const { organisationId } = site
      const old = yield* insertDocumentIn(site, "uploaded")
      const [first, second] = [
        yield* insertDocument(site, { replaces: old.id }),
        yield* insertDocument(site, { replaces: old.id, type: "coverImage", note: "kept" })
      ]
      yield* applySteps(first, "uploaded")
      const before = yield* stored(old, first)
      const late = yield* applySteps(second, { to: "uploaded", sizeBytes: 9, changes: { note: "changed" } })
      const failed = { ...second, status: "failed", failureReason: "already_replaced" } as const
      assert.deepEqual(late, aDocument({ ...failed, updatedAt: changedAt, version: 2 }))
      assert.deepEqual(yield* stored(old, first, second), [...before, late], "the first one stays the successor")
      const files = yield* claimFiles([organisationId], yield* afterDeletions)
      assert.deepEqual(files, [second.path], "the file of the second one is listed")
      const claimedUntil = yield* Effect.map(afterDeletions, (at) => at)
      const refusedUntil = reopen(organisationId, second.id, {
        at: changedAt,
        addressExpiresAt: farFuture,
        claimedUntil
      })
      assert.equal((yield* Effect.result(refusedUntil))._tag, "Failure", "its file must be deleted before")
    })
  },
  {
    name: "stores no replaces that is no document of the organisation",
    check: Effect.gen(function* () {
      const { insertMany } = yield* documentMethods
      const site = yield* siteInOwnOrganisation
      const foreign = yield* insertDocumentIn(yield* siteInOwnOrganisation, "uploaded")
      const gone = yield* insertDocumentIn(site, "uploaded")
      yield* remove(gone)
      const own = yield* insertDocumentIn(site, "uploaded")
      const named = [foreign.id, gone.id, aDocument().id, own.id, null]
      const inserted = named.map((replaces) => documentOf(site, { replaces }))
      const answers = yield* insertMany(site.organisationId, site.id, inserted, farFuture)
      assert.deepEqual(
        linksOf(answers).map(({ replaces }) => replaces),
        [null, null, null, own.id, null]
      )
      assert.deepEqual(yield* stored(...inserted, own, foreign), [...answers, own, foreign])
      const again = yield* insertMany(site.organisationId, site.id, inserted, farFuture)
      assert.deepEqual(again, answers, "a repeated insert changes nothing")
    })
  },
  {
    name: "joins the neighbours of a deleted document",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      for (const gone of [0, 1, 2]) {
        const chain = yield* insertChain(site, 3)
        const [leaving, waiting] = [chain[gone] ?? aDocument(), chain[gone - 1]?.id ?? null]
        const pending = yield* insertDocument(site, { replaces: leaving.id })
        const failed = yield* insertDocumentIn(site, "failed", { replaces: leaving.id })
        yield* remove(leaving)
        const rest = chain.filter(({ id }) => id !== leaving.id)
        const expected = rest.map((document, index) => {
          const links = { replaces: rest[index - 1]?.id ?? null, replacedBy: rest[index + 1]?.id ?? null }
          const same = document.replaces === links.replaces && document.replacedBy === links.replacedBy
          return same ? document : relinked(document, links)
        })
        assert.deepEqual(yield* stored(...rest), expected, `without number ${gone}`)
        const others = [pending, failed].map((one) => relinked(one, { replaces: waiting }))
        assert.deepEqual(yield* stored(pending, failed), others, "those that were to replace it")
      }
    })
  },
  {
    name: "takes a rejected document out of its chain, which keeps what it replaces and can come back",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      const [first, middle, last] = yield* insertChain(site, 3)
      assert.ok(first && middle && last, "there are three")
      const pending = yield* insertDocument(site, { replaces: middle.id })
      const rejected = yield* reject(middle)
      assert.deepEqual(linksOf([rejected]), [{ replaces: first.id, replacedBy: null }])
      assert.deepEqual(yield* stored(first, middle, last, pending), [
        relinked(first, { replacedBy: last.id }),
        rejected,
        relinked(last, { replaces: first.id }),
        relinked(pending, { replaces: first.id })
      ])
      yield* reject(last)
      assert.equal((yield* stored(first))[0]?.replacedBy, null, "without a successor it is current again")
      const back = yield* applySteps(pending, "uploaded")
      assert.deepEqual(linksOf(yield* stored(first, back)), [
        { replaces: null, replacedBy: pending.id },
        { replaces: first.id, replacedBy: null }
      ])
    })
  },
  {
    name: "leaves chains alone when a pending document fails or goes",
    check: Effect.gen(function* () {
      const site = yield* siteInOwnOrganisation
      const [first, last] = yield* insertChain(site, 2)
      assert.ok(first && last, "there are two")
      const lapsed = yield* insertDocument(site, { replaces: first.id })
      const removed = yield* insertDocument(site, { replaces: last.id })
      yield* applySteps(lapsed, { to: "failed", lapsedAt: farFuture })
      yield* remove(removed)
      assert.deepEqual(yield* stored(first, last), [first, last])
      assert.equal((yield* stored(lapsed))[0]?.replaces, first.id)
    })
  }
]
