/**
 * `DocumentRepository` and `DocumentMaintenance` on SQLite.
 */
import {
  type DocumentId,
  DocumentMaintenance,
  DocumentRepository,
  documentClaiming,
  documentKind,
  documentsWithin,
  hasEnding,
  MaximumPageBytes,
  type OrganisationId,
  pageOfDocuments,
  pageOfEnding,
  pageOfRevisions,
  type Records,
  reachParts,
  requirementKind,
  type Site,
  type SiteId,
  siteKind
} from "@solar-sites/core"
import { DateTime, Effect, Layer } from "effect"
import { recordTable } from "./RecordTable.ts"
import { memberSql } from "./Schema.ts"
import { SqliteDatabase } from "./SqliteDatabase.ts"

/** The portfolio of a site. */
const portfolioIn = (sites: ReadonlyArray<Site>) => {
  const portfolios = new Map(sites.map(({ id, portfolioId }) => [id, portfolioId]))
  return (siteId: SiteId) => portfolios.get(siteId) ?? null
}

const repository = Layer.effect(
  DocumentRepository,
  Effect.map(SqliteDatabase, ({ step }) =>
    DocumentRepository.of({
      list: (reach, conditions, page) =>
        Effect.flatMap(MaximumPageBytes, (bytes) =>
          step("DocumentRepository.list", (statements) => {
            const { records } = recordTable(statements, reachParts(reach).organisationId)
            const portfolioOf = portfolioIn(records(siteKind))
            const documents = documentsWithin(reach, records(documentKind), portfolioOf)
            return pageOfDocuments(documents, conditions, page, bytes, portfolioOf)
          })
        ),
      listRevisions: (reach, documentId, page) =>
        step("DocumentRepository.listRevisions", (statements) => {
          const { records } = recordTable(statements, reachParts(reach).organisationId)
          const found = (id: DocumentId) => records(documentKind, "id = ?", [id])
          const portfolioOf = portfolioIn(records(siteKind))
          return pageOfRevisions((id) => documentsWithin(reach, found(id), portfolioOf)[0], documentId, page)
        })
    })
  )
)

const maintenance = Layer.effect(
  DocumentMaintenance,
  Effect.gen(function* () {
    const { step } = yield* SqliteDatabase

    return DocumentMaintenance.of({
      ...(yield* documentClaiming),
      findDue: ({ limit, now }) =>
        step("DocumentMaintenance.findDue", ({ all }) =>
          all(
            `select organisation_id as id, min(due_at) as due_at from (
               select organisation_id, coalesce(json ->> '$.lookAt', json ->> '$.addressExpiresAt') as due_at
               from record where kind = 'document' and json ->> '$.status' = 'pending'
               union all
               select organisation_id, coalesce(json ->> '$.dueAt', '') from record where kind = 'file'
             )
             group by organisation_id having min(due_at) <= ? order by 2, 1 limit ?`,
            DateTime.formatIso(now),
            limit
            // The column has ids of organisations.
          ).map(({ id }) => id as OrganisationId)
        ),
      findEnding: ({ after, limit, ...options }) =>
        step("DocumentMaintenance.findEnding", (statements) =>
          statements
            .all("select distinct organisation_id as id from record where organisation_id > ? order by 1", after ?? "")
            // The column has ids of organisations.
            .map(({ id }) => id as OrganisationId)
            .filter((id) => {
              const { records } = recordTable(statements, id)
              const days = records(requirementKind).map(({ expiringWithinDays }) => expiringWithinDays)
              return hasEnding(records(documentKind), days, options)
            })
            .slice(0, limit)
        ),
      listEnding: (organisationId, conditions, page) =>
        step("DocumentMaintenance.listEnding", (statements) => {
          const { records } = recordTable(statements, organisationId)
          const documents = records(documentKind, `${memberSql("validUntil")} is not null`)
          return pageOfEnding(documents, conditions, page, portfolioIn(records(siteKind)))
        })
    })
  })
)

export const layer: Layer.Layer<DocumentRepository | DocumentMaintenance, never, SqliteDatabase | Records> =
  Layer.merge(repository, maintenance)
