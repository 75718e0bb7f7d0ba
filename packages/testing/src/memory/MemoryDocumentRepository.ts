/** `DocumentRepository` and `DocumentMaintenance` in memory. */
import {
  DocumentMaintenance,
  DocumentRepository,
  documentClaiming,
  documentKind,
  documentsWithin,
  fileKind,
  hasEnding,
  MaximumPageBytes,
  type OrganisationId,
  pageOfDocuments,
  pageOfEnding,
  pageOfRevisions,
  reachParts,
  requirementKind,
  type SiteId,
  siteKind
} from "@solar-sites/core"

import { type DateTime, Effect, Layer } from "effect"
import { MemoryDatabase, type MemoryOrganisation, recordsOf } from "./MemoryDatabase.ts"
import * as MemoryRecords from "./MemoryRecords.ts"

/** The portfolio of a site. */
const portfolioIn = (owner: MemoryOrganisation | undefined) => (siteId: SiteId) =>
  recordsOf(owner, siteKind).get(siteId)?.portfolioId ?? null

const repository: Layer.Layer<DocumentRepository, never, MemoryDatabase> = Layer.effect(
  DocumentRepository,
  Effect.map(MemoryDatabase, (database) =>
    DocumentRepository.of({
      list: (reach, conditions, page) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const owner = database.get(reachParts(reach).organisationId)
          const documents = documentsWithin(reach, recordsOf(owner, documentKind).values(), portfolioIn(owner))
          return pageOfDocuments(documents, conditions, page, bytes, portfolioIn(owner))
        }),
      listRevisions: (reach, documentId, page) =>
        Effect.sync(() => {
          const owner = database.get(reachParts(reach).organisationId)
          const documents = documentsWithin(reach, recordsOf(owner, documentKind).values(), portfolioIn(owner))
          const byId = new Map(documents.map((document) => [document.id, document]))
          return pageOfRevisions((id) => byId.get(id), documentId, page)
        })
    })
  )
)

/** The longest due instant of the pending documents and of the files. */
const firstDue = (owner: MemoryOrganisation): number => {
  const millis = (dueAt: DateTime.Utc | null) => dueAt?.epochMilliseconds ?? 0
  let first = Number.POSITIVE_INFINITY
  for (const { addressExpiresAt, lookAt, status } of recordsOf(owner, documentKind).values()) {
    if (status === "pending") first = Math.min(first, millis(lookAt ?? addressExpiresAt))
  }
  for (const { dueAt } of recordsOf(owner, fileKind).values()) first = Math.min(first, millis(dueAt))
  return first
}

const maintenance: Layer.Layer<DocumentMaintenance, never, MemoryDatabase> = Layer.effect(
  DocumentMaintenance,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    return DocumentMaintenance.of({
      ...(yield* documentClaiming),
      findDue: ({ limit, now }) =>
        Effect.sync(() => {
          const all = [...database].map(([id, owner]) => ({ id, dueAt: firstDue(owner) }))
          const due = all.filter(({ dueAt }) => dueAt <= now.epochMilliseconds)
          const inTurn = due.sort((a, b) => a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1))
          return inTurn.slice(0, limit).map(({ id }) => id)
        }),
      findEnding: ({ after, limit, ...options }) =>
        Effect.sync(() => {
          const isFound = ([id, owner]: readonly [OrganisationId, MemoryOrganisation]) => {
            const days = Array.from(recordsOf(owner, requirementKind).values(), (one) => one.expiringWithinDays)
            return (after === null || id > after) && hasEnding(recordsOf(owner, documentKind).values(), days, options)
          }
          const found = [...database].filter(isFound).map(([id]) => id)
          return found.sort().slice(0, limit)
        }),
      listEnding: (organisationId, conditions, page) =>
        Effect.sync(() => {
          const owner = database.get(organisationId)
          return pageOfEnding(recordsOf(owner, documentKind).values(), conditions, page, portfolioIn(owner))
        })
    })
  })
).pipe(Layer.provide(MemoryRecords.layer))

/** Provides both ports on the memory of the other repositories. */
export const layer: Layer.Layer<DocumentRepository | DocumentMaintenance, never, MemoryDatabase> = Layer.merge(
  repository,
  maintenance
)
