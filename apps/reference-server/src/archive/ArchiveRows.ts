/** Rows of an organisation as lines of an archive: SQL of exports and imports. */
import { changedTable, mainChange, PgClient, sql, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, RepositoryError } from "@solar-sites/core"
import { Effect } from "effect"
import { instant, lookUp, statement } from "../accounts/Statement.ts"
import type { OrganisationState } from "./ArchiveFormat.ts"
import { type ArchiveTable, archiveTables, type Line, users } from "./ArchiveTables.ts"

/** Maximum number of rows that one statement reads or writes. */
export const rowsPerStep = 1_000

/** What an import finds under the id of its organisation. */
interface Found {
  readonly organisation: boolean
  /** Digest of the archive of an interrupted import. */
  readonly interrupted: string | null
  readonly records: boolean
  readonly deletedFiles: boolean
  /** E-mail addresses and ids of the given users that users of any organisation have. */
  readonly takenLogins: ReadonlyArray<string>
  readonly takenUsers: ReadonlyArray<string>
}

/** A file that is listed for deletion. */
interface DeletedFile {
  readonly siteId: string
  readonly documentId: string
}

const iso = (value: string): string => `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const reading = (client: PgClient["Service"], { columns, key, table: name }: ArchiveTable) => {
  const values = columns.map(({ member, name, type }) => {
    const value = `t.${name}`
    return `'${member}', ${type === "timestamptz" ? iso(value) : value}`
  })
  const keyType = columns.find(({ name }) => name === key)?.type
  return statement<ReadonlyArray<Line>>(
    client,
    `OrganisationExport.${name}`,
    sql`select coalesce(json_agg(x.line order by x.key), '[]')::text
     from (
       select json_build_object(${values.join(", ")}) as line, t.${key} as key
       from ${table(name)} t
       where t.organisation_id = $1::uuid and ($2::text is null or t.${key} > $2::text::${String(keyType)})
       order by t.${key} limit ${rowsPerStep}
     ) x`,
    { owned: true, repeatable: true }
  )
}

const inserting = (client: PgClient["Service"], { columns, derived, key, table: name }: ArchiveTable) => {
  const stored = [...columns, ...derived]
  return statement(
    client,
    `OrganisationImport.${name}`,
    sql`${mainChange} insert into ${changedTable(name)} (organisation_id, ${stored.map((column) => column.name).join(", ")})
     select $1::uuid, ${stored.map(({ name }) => `r."${name}"`).join(", ")}
     from json_to_recordset($2::text::json) as r (${stored.map(({ name, type }) => `"${name}" ${type}`).join(", ")})
     on conflict (organisation_id, ${key}) do nothing`,
    { owned: true }
  )
}

/** A line as a row: values by the names of their columns. */
const rowOf = ({ columns, derived }: ArchiveTable, line: Line): Line =>
  Object.fromEntries([
    ...columns.map(({ member, name }) => [name, line[member]]),
    ...derived.map(({ name, value }) => [name, value(line)])
  ])

const statements = (client: PgClient["Service"]) => {
  const owned = { owned: true, repeatable: true }
  const holds = (name: string) => sql`exists (select from ${table(name)} where organisation_id = $1::uuid)`
  const records = archiveTables.filter((kind) => kind !== users).map((kind) => holds(kind.table))
  return {
    // Citus holds the server's own tables elsewhere than those of the library, so no statement reads both.
    state: statement<Omit<OrganisationState, "requireSecondFactor">>(
      client,
      "OrganisationExport.state",
      sql`select json_build_object(
         'id', o.id, 'name', o.name, 'status', o.status,
         'requirementsVersion', coalesce(l.version, 0), 'requirementsUpdatedAt', ${iso("l.updated_at")},
         'lastSequence', coalesce(s.last, 0), 'lastEventAt', ${iso("s.occurred_at")}
       )::text
       from ${table("organisation")} o
       left join ${table("requirement_list")} l on l.organisation_id = o.id
       left join ${table("event_sequence")} s on s.organisation_id = o.id
       where o.id = $1::uuid`,
      owned
    ),
    secondFactor: statement<boolean>(
      client,
      "OrganisationExport.secondFactor",
      sql`select to_json(require_second_factor)::text from ${table("console_organisation")} where organisation_id = $1::uuid`,
      owned
    ),
    findRecords: statement<Pick<Found, "records" | "deletedFiles">>(
      client,
      "OrganisationImport.findRecords",
      sql`select json_build_object('records', ${records.reduce((all, one) => sql`${all} or ${one}`)}, 'deletedFiles', ${holds("deleted_file")})::text`,
      owned
    ),
    // Users of other organisations are found by their login and id.
    find: lookUp<Omit<Found, "deletedFiles">>(
      client,
      "OrganisationImport.find",
      sql`select json_build_object(
         'organisation', exists (select from ${table("organisation")} where id = $1::uuid),
         'interrupted', (select i.digest from ${table("console_import")} i where i.organisation_id = $1::uuid),
         'records', ${holds(users.table)},
         'takenLogins', (
           select coalesce(json_agg(u.email order by u.email), '[]') from ${table("console_user")} u
           where u.login in (select jsonb_array_elements_text($2::text::jsonb)) and u.organisation_id <> $1::uuid
         ),
         'takenUsers', (
           select coalesce(json_agg(u.id order by u.id), '[]') from ${table("console_user")} u
           where u.id::text in (select jsonb_array_elements_text($3::text::jsonb)) and u.organisation_id <> $1::uuid
         )
       )::text`
    ),
    deletedFiles: statement<ReadonlyArray<DeletedFile>>(
      client,
      "OrganisationDeletion.files",
      sql`select coalesce(json_agg(x order by x."documentId"), '[]')::text from (
         select f.site_id as "siteId", f.document_id as "documentId" from ${table("deleted_file")} f
         where f.organisation_id = $1::uuid and ($2::text is null or f.document_id > $2::text::uuid)
         order by f.document_id limit ${rowsPerStep}
       ) x`,
      owned
    ),
    begin: statement(
      client,
      "OrganisationImport.begin",
      sql`with o as (
         insert into ${changedTable("organisation")} (id, name, status) values ($1::uuid, $2::text, 'inactive') returning id
       )
       ${mainChange} insert into ${table("console_import")} (organisation_id, digest, started_at)
       select o.id, $3::text, ${instant("$4")} from o`,
      { owned: true }
    ),
    setSequence: statement(
      client,
      "OrganisationImport.setSequence",
      sql`${mainChange} insert into ${table("event_sequence")} (organisation_id, last, occurred_at)
       values ($1::uuid, $2::text::bigint, $3::text::timestamptz)
       on conflict (organisation_id) do nothing`,
      { owned: true }
    ),
    setRequirements: statement(
      client,
      "OrganisationImport.setRequirements",
      sql`${mainChange} insert into ${table("requirement_list")} (organisation_id, version, updated_at)
       values ($1::uuid, $2::text::integer, $3::text::timestamptz)
       on conflict (organisation_id) do nothing`,
      { owned: true }
    ),
    setSecondFactor: statement(
      client,
      "OrganisationImport.setSecondFactor",
      sql`${mainChange} insert into ${table("console_organisation")} (organisation_id, require_second_factor) values ($1::uuid, true)
       on conflict (organisation_id) do nothing`,
      { owned: true }
    ),
    finish: statement(
      client,
      "OrganisationImport.finish",
      sql`with done as (
         delete from ${table("console_import")} where organisation_id = $1::uuid returning organisation_id
       )
       ${mainChange} update ${changedTable("organisation")} o set status = $2::text from done where o.id = done.organisation_id`,
      { owned: true }
    )
  }
}

/** Statements per table, and those of an export or import as a whole. */
export const archiveRows = Effect.map(PgClient, (client) => {
  const sql = statements(client)
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
      const state = yield* sql.state(id)
      if (state === null) return null
      return { ...state, requireSecondFactor: (yield* sql.secondFactor(id)) ?? false }
    }),

    /** At most `rowsPerStep` rows with a greater key than `after`, ascending. */
    read: (
      id: OrganisationId,
      table: ArchiveTable,
      after: string | null
    ): Effect.Effect<ReadonlyArray<Line>, RepositoryError> =>
      Effect.map(of(table).read(id, after), (lines) => lines ?? []),

    find: Effect.fnUntraced(function* (
      id: OrganisationId,
      logins: ReadonlyArray<string>,
      userIds: ReadonlyArray<string>
    ): Effect.fn.Return<Found | null, RepositoryError> {
      const found = yield* sql.find(id, JSON.stringify(logins), JSON.stringify(userIds))
      const stored = yield* sql.findRecords(id)
      if (found === null || stored === null) return null
      return { ...found, ...stored, records: found.records || stored.records }
    }),

    /** At most `rowsPerStep` files of deleted documents, ascending by document. */
    deletedFiles: (
      id: OrganisationId,
      after: string | null
    ): Effect.Effect<ReadonlyArray<DeletedFile>, RepositoryError> =>
      Effect.map(sql.deletedFiles(id, after), (files) => files ?? []),

    /** Creates the organisation, inactive and marked as incomplete. */
    begin: (id: OrganisationId, name: string, digest: string, at: number) => sql.begin(id, name, digest, at),

    /** Stores the parts of the state that have tables of their own; keeps stored parts. */
    setState: Effect.fnUntraced(function* (given: OrganisationState) {
      const { id, lastEventAt, lastSequence, requirementsUpdatedAt, requirementsVersion } = given
      if (lastEventAt !== null) yield* sql.setSequence(id, String(lastSequence), lastEventAt)
      if (requirementsUpdatedAt !== null)
        yield* sql.setRequirements(id, String(requirementsVersion), requirementsUpdatedAt)
      if (given.requireSecondFactor) yield* sql.setSecondFactor(id)
    }),

    /** Rows with a stored key are skipped, so a repeated step changes nothing. */
    insert: (id: OrganisationId, table: ArchiveTable, lines: ReadonlyArray<Line>) =>
      of(table).insert(id, JSON.stringify(lines.map((line) => rowOf(table, line)))),

    /** Gives the organisation its status and removes the mark. */
    finish: (id: OrganisationId, status: string) => sql.finish(id, status)
  }
})

export type ArchiveRows = Effect.Success<typeof archiveRows>
