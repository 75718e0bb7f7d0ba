/**
 * Cases about changes by other ports: each of them gives a record another revision.
 */
import { DocumentId, DocumentMaintenance, documentKind, fileKind, siteKind, storageKey } from "@solar-sites/core"
import { Duration, Effect } from "effect"
import { anId, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { siteMethods } from "./Methods.ts"
import { insertOwner, type Owner } from "./RecordOwner.ts"
import { recordSamples } from "./RecordSamples.ts"
import { committed, created, idOf, loaded, type RecordsPorts, refused, update, withMembers } from "./RecordsSetup.ts"
import { changedAgainAt, changedAt, insertOrganisation } from "./Setup.ts"

const claim = { now: changedAt, dueAgainAt: changedAgainAt, limit: 10 }

const aFull = (owner: Owner, name: string, members: object): object => {
  const sample = recordSamples.find(({ kind }) => kind.name === name)
  return withMembers(sample?.full(owner, anId()) ?? {}, members)
}

export const maintenanceCases: ReadonlyArray<ConformanceCase<RecordsPorts>> = [
  {
    name: "gives a site another revision after every change, by whatever method, also of one version",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const first = yield* created(organisationId, siteKind, aSite({ organisationId, externalId: "A-1" }))
      const site = aSite({ ...first.record })
      const saves = [{ site: null, changes: { externalId: "A-1", address: "Elsewhere" } }]
      yield* (yield* siteMethods).saveMany(organisationId, saves, { at: changedAt, dryRun: false })
      yield* refused(organisationId, [update(siteKind, first, { siteName: "Lost" })])
      const second = yield* loaded(organisationId, siteKind, site.id)
      // The same version: a writer that compares versions would not notice.
      yield* committed(organisationId, [update(siteKind, second, { siteName: "Same version" })])
      yield* refused(organisationId, [update(siteKind, second, { siteName: "Lost" })])
    })
  },
  {
    name: "gives a pending document another revision when it is claimed",
    check: Effect.gen(function* () {
      const owner = yield* insertOwner
      const { organisationId } = owner
      const document = aFull(owner, "document", { lookAt: changedAt, addressExpiresAt: changedAt })
      const before = yield* created(organisationId, documentKind, document)
      const claimed = yield* DocumentMaintenance.use((maintenance) => maintenance.claimPending(organisationId, claim))
      assert.deepEqual(
        claimed.map(({ document: { id } }) => id),
        [idOf(document)],
        "the claimed document"
      )
      yield* refused(organisationId, [update(documentKind, before, { note: "Lost" })])
      const after = yield* loaded(organisationId, documentKind, idOf(document))
      assert.deepEqual(after.record, withMembers(document, { lookAt: claim.dueAgainAt }), "the record")
      yield* committed(organisationId, [update(documentKind, after, { note: "Won" })])
    })
  },
  {
    name: "gives a file another revision when it is claimed, and when its deletion is put off",
    check: Effect.gen(function* () {
      const owner = yield* insertOwner
      const { organisationId, siteId } = owner
      const maintenance = yield* DocumentMaintenance
      const file = aFull(owner, "file", { dueAt: null, claimedUntil: null })
      const key = storageKey({ organisationId, siteId, documentId: DocumentId.make(idOf(file)) })
      const listed = yield* created(organisationId, fileKind, file)
      assert.deepEqual(yield* maintenance.claimDeleted(organisationId, claim), [key], "the claimed file")
      yield* refused(organisationId, [update(fileKind, listed, {})])
      const claimed = yield* loaded(organisationId, fileKind, idOf(file))
      const claimedUntil = claim.dueAgainAt
      assert.deepEqual({ ...claimed.record }, { ...file, dueAt: claimedUntil, claimedUntil }, "the claimed record")
      yield* maintenance.forgetDeleted(organisationId, [key], {
        now: changedAt,
        claimedUntil,
        uploadsEndAfter: Duration.minutes(1)
      })
      yield* refused(organisationId, [update(fileKind, claimed, {})])
      const kept = yield* loaded(organisationId, fileKind, idOf(file))
      assert.equal(Reflect.get(kept.record, "claimedUntil"), null, "the claim of the kept record")
      yield* committed(organisationId, [update(fileKind, kept, {})])
    })
  }
]
