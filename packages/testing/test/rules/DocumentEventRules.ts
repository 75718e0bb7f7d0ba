/**
 * Events of the changes of documents: one per changed record, of chains and covers too.
 */

import type { Document, EventType, Site } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import {
  applySteps,
  claimAndReopen,
  currentDocument,
  documentOf,
  farFuture,
  insertDocument
} from "../../src/conformance/DocumentSetup.ts"
import {
  asCallerOf,
  type EventPorts,
  type ExpectedEvent,
  expectEvents,
  expectNoEvent
} from "../../src/conformance/EventSetup.ts"
import { documentMethods } from "../../src/conformance/Methods.ts"
import { changedAgainAt, changedAt, currentSite, insertOrganisation, insertSite } from "../../src/conformance/Setup.ts"

const siteInOrganisation = Effect.flatMap(insertOrganisation(), (id) => insertSite(id))

type Changes = ExpectedEvent["changes"]

const event = (type: EventType, { filename, id, siteId }: Document, changes: Changes): ExpectedEvent => ({
  type,
  siteId,
  subject: { id, name: filename },
  changes
})

const coverEvent = ({ id, siteName }: Site, from: string | null, to: string | null): ExpectedEvent => ({
  type: "site.updated",
  siteId: id,
  subject: { id, name: siteName },
  changes: { coverImageUrl: { from, to } }
})

const moved = (from: string, to: string): Changes => ({ status: { from, to } })

/** The document as it is stored now. */
const latest = Effect.fnUntraced(function* (document: Document) {
  return (yield* currentDocument(document)) ?? document
})

/** Three arrived revisions of one document, the oldest first. */
const chainOf = Effect.fnUntraced(function* (site: Site) {
  const first = yield* applySteps(yield* insertDocument(site), "uploaded")
  const second = yield* applySteps(yield* insertDocument(site, { replaces: first.id }), "uploaded")
  const third = yield* applySteps(yield* insertDocument(site, { replaces: second.id }), "uploaded")
  return [first, second, third] as const
})

export const documentEventCases: ReadonlyArray<ConformanceCase<EventPorts>> = [
  {
    name: "writes one event per new document, in order of id, and none for stored or refused ones",
    check: Effect.gen(function* () {
      const { insertMany } = yield* documentMethods
      const site = yield* siteInOrganisation
      const { organisationId } = site
      const stored = yield* insertDocument(site)
      const fresh = [documentOf(site), documentOf(site, { note: "As built", documentType: "ppa", sizeBytes: null })]
      const insert = insertMany(organisationId, site.id, [stored, ...fresh], farFuture)
      const { origin, ran } = asCallerOf(organisationId)(insert)
      const expected = fresh.map((document) => {
        const { documentType, filename, mimeType, note, sizeBytes, status, type } = document
        const given = { type, documentType, filename, status, mimeType, sizeBytes, note }
        const changes = Object.entries(given).filter(([, to]) => to !== null)
        const values = Object.fromEntries(changes.map(([name, to]) => [name, { from: null, to }]))
        return { ...event("document.requested", document, values), ...origin }
      })
      yield* expectEvents(organisationId, ran, expected)
      yield* expectNoEvent(organisationId, insert)
      const elsewhere = yield* siteInOrganisation
      const foreign = [documentOf(elsewhere)]
      yield* expectNoEvent(organisationId, insertMany(organisationId, elsewhere.id, foreign, farFuture))
    })
  },
  {
    name: "writes the changed metadata of a document, and nothing where nothing changes",
    check: Effect.gen(function* () {
      const { update } = yield* documentMethods
      const document = yield* insertDocument(yield* siteInOrganisation, { note: "Draft" })
      const { id, organisationId } = document
      const change = (filename: string, expectedVersions?: ReadonlyArray<number>) =>
        update(organisationId, id, { filename, note: null }, { at: changedAt, expectedVersions })
      const { origin, ran } = asCallerOf(organisationId)(change("Plan.pdf"))
      const changes = { filename: { from: document.filename, to: "Plan.pdf" }, note: { from: "Draft", to: null } }
      yield* expectEvents(organisationId, ran, [
        { ...event("document.updated", { ...document, filename: "Plan.pdf" } as Document, changes), ...origin }
      ])
      yield* expectNoEvent(organisationId, change("Plan.pdf"))
      yield* expectNoEvent(organisationId, change("Other.pdf", [9]))
      yield* expectNoEvent(
        organisationId,
        update(organisationId, documentOf(yield* siteInOrganisation).id, {}, { at: changedAt })
      )
    })
  },
  {
    name: "writes one event per step of a document, with all its changes",
    check: Effect.gen(function* () {
      const { step } = yield* documentMethods
      const document = yield* insertDocument(yield* siteInOrganisation)
      const { id, organisationId } = document
      const take = (change: Parameters<typeof step>[2]) => step(organisationId, id, change, { at: changedAt })
      yield* expectNoEvent(organisationId, take({ to: "approved" }))
      yield* expectEvents(organisationId, take({ to: "uploaded", sizeBytes: 7 }), [
        event("document.uploaded", document, { ...moved("pending", "uploaded"), sizeBytes: { from: 1_024, to: 7 } })
      ])
      const approval = asCallerOf(organisationId)(take({ to: "approved", changes: { note: "Checked" } }))
      yield* expectEvents(organisationId, approval.ran, [
        {
          ...event("document.approved", document, {
            ...moved("uploaded", "approved"),
            note: { from: null, to: "Checked" }
          }),
          ...approval.origin
        }
      ])
      yield* expectEvents(organisationId, take({ to: "completed" }), [
        event("document.completed", document, moved("approved", "completed"))
      ])
      yield* expectNoEvent(organisationId, take({ to: "completed" }))
    })
  },
  {
    name: "writes the events of a rejection and of new addresses",
    check: Effect.gen(function* () {
      const { reopen, step } = yield* documentMethods
      const document = yield* insertDocument(yield* siteInOrganisation)
      const { id, organisationId } = document
      const again = reopen(organisationId, id, { at: changedAt, addressExpiresAt: farFuture })
      yield* expectEvents(organisationId, again, [event("document.reissued", document, {})])
      yield* applySteps(document, "uploaded")
      yield* expectNoEvent(organisationId, again)
      const rejection = { to: "failed", failureReason: "Blurred" } as const
      yield* expectEvents(organisationId, step(organisationId, id, rejection, { at: changedAt }), [
        event("document.failed", document, {
          ...moved("uploaded", "failed"),
          failureReason: { from: null, to: "Blurred" }
        })
      ])
      yield* expectNoEvent(organisationId, again)
      yield* expectEvents(organisationId, claimAndReopen(document, changedAgainAt), [
        event("document.reissued", document, {
          ...moved("failed", "pending"),
          sizeBytes: { from: document.sizeBytes, to: null },
          failureReason: { from: "Blurred", to: null }
        })
      ])
    })
  },
  {
    name: "repeats a new address without an event, and only for a pending document",
    check: Effect.gen(function* () {
      const { findById, reopen, step } = yield* documentMethods
      const document = yield* insertDocument(yield* siteInOrganisation)
      const { id, organisationId } = document
      const again = reopen(organisationId, id, { at: changedAt, addressExpiresAt: farFuture, isRepetition: true })
      yield* expectNoEvent(organisationId, again)
      assert.deepEqual(yield* again, document, "the pending document")
      yield* step(organisationId, id, { to: "failed", failureReason: "lapsed", lapsedAt: farFuture }, { at: changedAt })
      const failed = yield* findById(organisationId, id)
      assert.equal((yield* Effect.flip(again))._tag, "InvalidTransition", "a failed document")
      assert.deepEqual(yield* findById(organisationId, id), failed, "a failed document stays")
      yield* expectNoEvent(organisationId, again)
    })
  },
  {
    name: "writes an event of the replaced document when its successor arrives",
    check: Effect.gen(function* () {
      const site = yield* siteInOrganisation
      const old = yield* applySteps(yield* insertDocument(site), "uploaded")
      const next = yield* insertDocument(site, { replaces: old.id })
      yield* expectEvents(site.organisationId, applySteps(next, "uploaded"), [
        event("document.uploaded", next, moved("pending", "uploaded")),
        event("document.replaced", old, { replacedBy: { from: null, to: next.id } })
      ])
    })
  },
  {
    name: "writes the events of both neighbours when a document in the middle of a chain is deleted or rejected",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const site = yield* siteInOrganisation
      const { organisationId } = site
      const [oldest, middle, newest] = yield* chainOf(site)
      const rejection = { to: "failed", failureReason: "Blurred" } as const
      const reject = repository.step(organisationId, middle.id, rejection, { at: changedAt })
      yield* expectEvents(organisationId, reject, [
        event("document.failed", middle, {
          ...moved("uploaded", "failed"),
          failureReason: { from: null, to: "Blurred" },
          replacedBy: { from: newest.id, to: null }
        }),
        event("document.updated", oldest, { replacedBy: { from: middle.id, to: newest.id } }),
        event("document.updated", newest, { replaces: { from: middle.id, to: oldest.id } })
      ])
      const [first, second, third] = yield* chainOf(site)
      const remove = repository.delete(organisationId, second.id, { at: changedAt })
      const { documentType: _, ...gone } = yield* latest(second)
      yield* expectEvents(organisationId, remove, [
        event("document.deleted", second, {
          type: { from: gone.type, to: null },
          filename: { from: gone.filename, to: null },
          status: { from: gone.status, to: null },
          mimeType: { from: gone.mimeType, to: null },
          sizeBytes: { from: gone.sizeBytes, to: null },
          replaces: { from: first.id, to: null },
          replacedBy: { from: third.id, to: null }
        }),
        event("document.updated", first, { replacedBy: { from: second.id, to: third.id } }),
        event("document.updated", third, { replaces: { from: second.id, to: first.id } })
      ])
      yield* expectNoEvent(organisationId, remove)
    })
  },
  {
    name: "writes the event of the site whose cover changes, with the path as its value",
    check: Effect.gen(function* () {
      const repository = yield* documentMethods
      const site = yield* siteInOrganisation
      const image = yield* insertDocument(site, { type: "coverImage", mimeType: "image/png" })
      yield* expectEvents(site.organisationId, applySteps(image, "uploaded"), [
        event("document.uploaded", image, moved("pending", "uploaded")),
        coverEvent(site, null, image.path)
      ])
      const rejection = repository.step(site.organisationId, image.id, { to: "failed" }, { at: changedAt })
      yield* expectEvents(site.organisationId, rejection, [
        event("document.failed", image, moved("uploaded", "failed")),
        coverEvent((yield* currentSite(site)) ?? site, image.path, null)
      ])
    })
  }
]
