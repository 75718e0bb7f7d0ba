/**
 * `DocumentRepository` and `DocumentMaintenance` on SQLite.
 */
import {
  DocumentMaintenance,
  DocumentRepository,
  documentClaiming,
  documentKind,
  MaximumPageBytes,
  type OrganisationId,
  pageOfDocuments,
  pageOfRevisions,
  type Records,
  siteKind
} from "@solar-sites/core"
import { DateTime, Effect, Layer } from "effect"
import { recordTable } from "./RecordTable.ts"
import { SqliteDatabase } from "./SqliteDatabase.ts"

const repository = Layer.effect(
  DocumentRepository,
  Effect.map(SqliteDatabase, ({ step }) =>
    DocumentRepository.of({
      list: (organisationId, conditions, page) =>
        Effect.flatMap(MaximumPageBytes, (bytes) =>
          step("DocumentRepository.list", (statements) => {
            const { records } = recordTable(statements, organisationId)
            const sites = conditions.portfolioId === undefined ? [] : records(siteKind)
            const portfolios = new Map(sites.map(({ id, portfolioId }) => [id, portfolioId]))
            const portfolioOf = (siteId: (typeof sites)[number]["id"]) => portfolios.get(siteId) ?? null
            return pageOfDocuments(records(documentKind), conditions, page, bytes, portfolioOf)
          })
        ),
      listRevisions: (organisationId, documentId, page) =>
        step("DocumentRepository.listRevisions", (statements) => {
          const { records } = recordTable(statements, organisationId)
          return pageOfRevisions((id) => records(documentKind, "id = ?", [id])[0], documentId, page)
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
        )
    })
  })
)

export const layer: Layer.Layer<DocumentRepository | DocumentMaintenance, never, SqliteDatabase | Records> =
  Layer.merge(repository, maintenance)
