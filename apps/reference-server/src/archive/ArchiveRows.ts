/** Rows of an organisation as lines of an archive. */
import { PgClient } from "@solar-sites/adapter-postgres"
import type { OrganisationId, RepositoryError } from "@solar-sites/core"
import { Effect } from "effect"
import type { OrganisationState } from "./ArchiveFormat.ts"
import { archiveStatements, type DeletedFile, type Found, inserting, reading } from "./ArchiveStatements.ts"
import { type ArchiveTable, archiveTables, type Line } from "./ArchiveTables.ts"

/** A line as a row: values by the names of their columns. */
const rowOf = ({ columns, derived }: ArchiveTable, line: Line): Line =>
  Object.fromEntries([
    ...columns.map(({ member, name }) => [name, line[member]]),
    ...derived.map(({ name, value }) => [name, value(line)])
  ])

/** Statements per table, and those of an export or import as a whole. */
export const archiveRows = Effect.map(PgClient, (client) => {
  const sql = archiveStatements(client)
  const tables = new Map(
    archiveTables.map((table) => [table.resource, { read: reading(client, table), insert: inserting(client, table) }])
  )
  const of = ({ resource }: ArchiveTable) => {
    const found = tables.get(resource)
    if (found === undefined) throw new Error(`${resource} is no table of an archive`)
    return found
  }

  return {
    /** Null for an unknown organisation. */
    state: Effect.fnUntraced(function* (id: OrganisationId) {
      const state = yield* sql.state({ organisationId: id })
      if (state === null) return null
      return { ...state, requireSecondFactor: false, sharedViews: [], ...(yield* sql.settings({ organisationId: id })) }
    }),

    /** At most `rowsPerStep` rows with a greater key than `after`, ascending. */
    read: (
      id: OrganisationId,
      table: ArchiveTable,
      after: string | null
    ): Effect.Effect<ReadonlyArray<Line>, RepositoryError> =>
      Effect.map(of(table).read({ organisationId: id, after }), (lines) => lines ?? []),

    find: Effect.fnUntraced(function* (
      id: OrganisationId,
      logins: ReadonlyArray<string>,
      userIds: ReadonlyArray<string>
    ): Effect.fn.Return<Found | null, RepositoryError> {
      const found = yield* sql.find({
        organisationId: id,
        logins: JSON.stringify(logins),
        userIds: JSON.stringify(userIds)
      })
      const stored = yield* sql.findRecords({ organisationId: id })
      if (found === null || stored === null) return null
      return { ...found, ...stored, records: found.records || stored.records }
    }),

    /** At most `rowsPerStep` files of deleted documents, ascending by document. */
    deletedFiles: (
      id: OrganisationId,
      after: string | null
    ): Effect.Effect<ReadonlyArray<DeletedFile>, RepositoryError> =>
      Effect.map(sql.deletedFiles({ organisationId: id, after }), (files) => files ?? []),

    /** Creates the organisation, inactive and marked as incomplete. */
    begin: (organisationId: OrganisationId, name: string, digest: string, at: number) =>
      sql.begin({ organisationId, name, digest, at }),

    /** Stores the parts of the state that have tables of their own; keeps stored parts. */
    setState: Effect.fnUntraced(function* (given: OrganisationState) {
      const { id: organisationId, lastEventAt, lastSequence, requirementsUpdatedAt, requirementsVersion } = given
      if (lastEventAt !== null) yield* sql.sequence(organisationId, { last: lastSequence, occurred_at: lastEventAt })
      if (requirementsUpdatedAt !== null) {
        const list = { version: requirementsVersion, updated_at: requirementsUpdatedAt }
        yield* sql.requirements(organisationId, list)
      }
      const { requireSecondFactor, sharedViews } = given
      if (requireSecondFactor || sharedViews.length > 0) {
        yield* sql.ownSettings(organisationId, { require_second_factor: requireSecondFactor, views: sharedViews })
      }
    }),

    /** Rows with a stored key are skipped, so a repeated step changes nothing. */
    insert: (organisationId: OrganisationId, table: ArchiveTable, lines: ReadonlyArray<Line>) =>
      of(table).insert({ organisationId, rows: JSON.stringify(lines.map((line) => rowOf(table, line))) }),

    /** Gives the organisation its status and removes the mark. */
    finish: (organisationId: OrganisationId, status: string) => sql.finish({ organisationId, status })
  }
})

export type ArchiveRows = Effect.Success<typeof archiveRows>
