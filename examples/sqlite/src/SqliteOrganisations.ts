/**
 * `OrganisationRepository` on SQLite.
 */
import {
  apiKeyKind,
  makeUnchecked,
  Organisation,
  OrganisationRepository,
  organisationEvent,
  organisationKind,
  portfolioKind,
  requirementKind,
  requirementListKind,
  siteKind,
  takePage,
  webhookKind
} from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { decoded, recordTable } from "./RecordTable.ts"
import { SqliteDatabase } from "./SqliteDatabase.ts"

export const layer: Layer.Layer<OrganisationRepository, never, SqliteDatabase> = Layer.effect(
  OrganisationRepository,
  Effect.gen(function* () {
    const { step } = yield* SqliteDatabase

    return OrganisationRepository.of({
      insert: (organisation) =>
        step("OrganisationRepository.insert", (statements) => {
          const table = recordTable(statements, organisation.id)
          table.insert(organisationKind, makeUnchecked(Organisation, organisation), table.nextRevision())
        }),

      findById: (organisationId) =>
        step("OrganisationRepository.findById", (statements) =>
          Option.fromUndefinedOr(recordTable(statements, organisationId).records(organisationKind)[0])
        ),

      list: ({ after, limit }) =>
        step("OrganisationRepository.list", ({ all }) => {
          const rows = all(
            "select json from record where kind = 'organisation' and id > ? order by id limit ?",
            after ?? "",
            limit + 1
          )
          return takePage(
            rows.map(({ json }) => decoded(organisationKind, json)),
            limit
          )
        }),

      update: (organisationId, changes, origin) =>
        step("OrganisationRepository.update", (statements) => {
          const table = recordTable(statements, organisationId)
          const [before] = table.records(organisationKind)
          if (before === undefined) return Option.none()
          const after = makeUnchecked(Organisation, { ...before, ...changes })
          table.remove(organisationKind, organisationId)
          table.insert(organisationKind, after, table.nextRevision())
          const event = organisationEvent("organisation.updated", before, after)
          if (Object.keys(event.changes).length > 0) table.record([event], origin)
          return Option.some(after)
        }),

      delete: (organisationId) =>
        step("OrganisationRepository.delete", (statements) => {
          const table = recordTable(statements, organisationId)
          const remaining = [siteKind, portfolioKind, apiKeyKind, webhookKind]
          if (remaining.some((kind) => table.rows(kind, "true", [], 1).length > 0)) return false
          for (const kind of [organisationKind, requirementListKind, requirementKind]) {
            for (const { id } of table.rows(kind)) table.remove(kind, String(id))
          }
          return true
        })
    })
  })
)
