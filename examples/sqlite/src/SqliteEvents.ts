/**
 * `EventRepository` on SQLite.
 */
import {
  EventRepository,
  eventsWithin,
  MaximumPageBytes,
  type OrganisationId,
  pageOfEvents,
  reachParts,
  siteKind
} from "@solar-sites/core"
import { DateTime, Effect, Layer } from "effect"
import { decoded, eventKind, recordTable } from "./RecordTable.ts"
import { SqliteDatabase, type Statements } from "./SqliteDatabase.ts"

/** Deletes the oldest events that meet a condition. */
const deleteOldest = (
  { run }: Statements,
  organisationId: OrganisationId,
  { before, limit }: { readonly before?: DateTime.Utc; readonly limit: number }
): number =>
  run(
    `delete from event where organisation_id = ?1 and sequence in (
       select sequence from event where organisation_id = ?1 and sequence < coalesce(
         (select min(sequence) from event where organisation_id = ?1 and occurred_at >= ?2), 9e15
       ) order by sequence limit ?3
     )`,
    organisationId,
    before === undefined ? "~" : DateTime.formatIso(before),
    limit
  )

export const layer: Layer.Layer<EventRepository, never, SqliteDatabase> = Layer.effect(
  EventRepository,
  Effect.map(SqliteDatabase, ({ step }) =>
    EventRepository.of({
      list: (reach, conditions, page) =>
        Effect.flatMap(MaximumPageBytes, (bytes) =>
          step("EventRepository.list", (statements) => {
            const { organisationId } = reachParts(reach)
            const rows = statements.all(
              "select json from event where organisation_id = ? order by sequence",
              organisationId
            )
            const events = rows.map(({ json }) => decoded(eventKind, json))
            const sites = recordTable(statements, organisationId).records(siteKind)
            return pageOfEvents(eventsWithin(reach, events, sites), conditions, page, bytes)
          })
        ),

      purge: (organisationId, options) =>
        step("EventRepository.purge", (statements) => deleteOldest(statements, organisationId, options)),

      findOrganisations: ({ after, before, limit }) =>
        step("EventRepository.findOrganisations", ({ all }) =>
          all(
            `select organisation_id as id from event e
             where organisation_id > ? and occurred_at < ?
               and sequence = (select min(sequence) from event where organisation_id = e.organisation_id)
             order by 1 limit ?`,
            after ?? "",
            DateTime.formatIso(before),
            limit
            // The column has ids of organisations.
          ).map(({ id }) => id as OrganisationId)
        ),

      deleteAll: (organisationId, { limit }) =>
        step("EventRepository.deleteAll", (statements) => {
          const removed = deleteOldest(statements, organisationId, { limit })
          if (removed < limit) statements.run("delete from last_event where organisation_id = ?", organisationId)
          return removed
        })
    })
  )
)
