/** SQL of exports and imports of an organisation. */
import { changedTable, mainChange, type PgClient, sql, statement, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId } from "@solar-sites/core"
import { instant } from "../accounts/SqlValues.ts"
import type { OrganisationState } from "./ArchiveFormat.ts"
import { type ArchiveTable, archiveTables, type Line, users } from "./ArchiveTables.ts"

/** Maximum number of rows that one statement reads or writes. */
export const rowsPerStep = 1_000

/** What an import finds under the id of its organisation. */
export interface Found {
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
export interface DeletedFile {
  readonly siteId: string
  readonly documentId: string
}

interface Organisation {
  readonly organisationId: OrganisationId
}

const iso = (value: string): string => `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Reads rows of one table. */
export const reading = (client: PgClient["Service"], { columns, key, table: name }: ArchiveTable) => {
  const values = columns.map(({ member, name, type }) => {
    const value = `t.${name}`
    return `'${member}', ${type === "timestamptz" ? iso(value) : value}`
  })
  const keyType = columns.find(({ name }) => name === key)?.type
  return statement<ReadonlyArray<Line>, Organisation & { after: string | null }>(
    client,
    `OrganisationExport.${name}`,
    ({ after, organisationId }) => sql`select coalesce(json_agg(x.line order by x.key), '[]')::text
     from (
       select json_build_object(${values.join(", ")}) as line, t.${key} as key
       from ${table(name)} t
       where t.organisation_id = ${organisationId}::uuid
         and (${after}::text is null or t.${key} > ${after}::text::${String(keyType)})
       order by t.${key} limit ${rowsPerStep}
     ) x`,
    { repeatable: true }
  )
}

/** Stores rows of one table. */
export const inserting = (client: PgClient["Service"], { columns, derived, key, table: name }: ArchiveTable) => {
  const stored = [...columns, ...derived]
  return statement<never, Organisation & { rows: string }>(
    client,
    `OrganisationImport.${name}`,
    ({ organisationId, rows }) => sql`${mainChange}
     insert into ${changedTable(name)} (organisation_id, ${stored.map((column) => column.name).join(", ")})
     select ${organisationId}::uuid, ${stored.map(({ name }) => `r."${name}"`).join(", ")}
     from json_to_recordset(${rows}::text::json) as r (${stored.map(({ name, type }) => `"${name}" ${type}`).join(", ")})
     on conflict (organisation_id, ${key}) do nothing`
  )
}

/** Stores the row of an organisation in a table with one for each, by the types of its columns; keeps a stored one. */
const insertingOnce = <Column extends string>(
  client: PgClient["Service"],
  name: string,
  types: Readonly<Record<Column, string>>
) => {
  const names = Object.keys(types).join(", ")
  const columns = Object.entries(types).map((column) => column.join(" "))
  const insert = statement<never, Organisation & { row: string }>(
    client,
    `OrganisationImport.${name}`,
    ({ organisationId, row }) => sql`${mainChange}
     insert into ${table(name)} (organisation_id, ${names})
     select ${organisationId}::uuid, ${names} from json_to_record(${row}::text::json) as r (${columns.join(", ")})
     on conflict (organisation_id) do nothing`
  )
  return (organisationId: OrganisationId, row: Readonly<Record<Column, unknown>>) =>
    insert({ organisationId, row: JSON.stringify(row) })
}

type Settings = "requireSecondFactor" | "sharedViews"

export const archiveStatements = (client: PgClient["Service"]) => {
  const repeatable = { repeatable: true }
  const holds = (name: string, organisationId: string) =>
    sql`exists (select from ${table(name)} where organisation_id = ${organisationId}::uuid)`
  const records = archiveTables.filter((kind) => kind !== users)
  return {
    // Citus holds the server's own tables elsewhere than those of the library, so no statement reads both.
    state: statement<Omit<OrganisationState, Settings>, Organisation>(
      client,
      "OrganisationExport.state",
      ({ organisationId }) => sql`select json_build_object(
         'id', o.id, 'name', o.name, 'status', o.status,
         'requirementsVersion', coalesce(l.version, 0), 'requirementsUpdatedAt', ${iso("l.updated_at")},
         'lastSequence', coalesce(s.last, 0), 'lastEventAt', ${iso("s.occurred_at")}
       )::text
       from ${table("organisation")} o
       left join ${table("requirement_list")} l on l.organisation_id = o.id
       left join ${table("event_sequence")} s on s.organisation_id = o.id
       where o.id = ${organisationId}::uuid`,
      repeatable
    ),
    settings: statement<Pick<OrganisationState, Settings>, Organisation>(
      client,
      "OrganisationExport.settings",
      ({ organisationId }) => sql`select json_build_object(
         'requireSecondFactor', require_second_factor, 'sharedViews', views
       )::text
       from ${table("console_organisation")} where organisation_id = ${organisationId}::uuid`,
      repeatable
    ),
    findRecords: statement<Pick<Found, "records" | "deletedFiles">, Organisation>(
      client,
      "OrganisationImport.findRecords",
      ({ organisationId }) => sql`select json_build_object(
         'records', ${records.reduce((all, kind) => sql`${all} or ${holds(kind.table, organisationId)}`, sql`false`)},
         'deletedFiles', ${holds("deleted_file", organisationId)}
       )::text`,
      repeatable
    ),
    // Users of other organisations are found by their login and id.
    find: statement<Omit<Found, "deletedFiles">, Organisation & { logins: string; userIds: string }>(
      client,
      "OrganisationImport.find",
      ({ logins, organisationId, userIds }) => sql`select json_build_object(
         'organisation', exists (select from ${table("organisation")} where id = ${organisationId}::uuid),
         'interrupted', (select i.digest from ${table("console_import")} i where i.organisation_id = ${organisationId}::uuid),
         'records', ${holds(users.table, organisationId)},
         'takenLogins', (
           select coalesce(json_agg(u.email order by u.email), '[]') from ${table("console_user")} u
           where u.login in (select jsonb_array_elements_text(${logins}::text::jsonb))
             and u.organisation_id <> ${organisationId}::uuid
         ),
         'takenUsers', (
           select coalesce(json_agg(u.id order by u.id), '[]') from ${table("console_user")} u
           where u.id::text in (select jsonb_array_elements_text(${userIds}::text::jsonb))
             and u.organisation_id <> ${organisationId}::uuid
         )
       )::text`,
      { across: true }
    ),
    deletedFiles: statement<ReadonlyArray<DeletedFile>, Organisation & { after: string | null }>(
      client,
      "OrganisationDeletion.files",
      ({ after, organisationId }) => sql`select coalesce(json_agg(x order by x."documentId"), '[]')::text from (
         select f.site_id as "siteId", f.document_id as "documentId" from ${table("deleted_file")} f
         where f.organisation_id = ${organisationId}::uuid
           and (${after}::text is null or f.document_id > ${after}::text::uuid)
         order by f.document_id limit ${rowsPerStep}
       ) x`,
      repeatable
    ),
    begin: statement<never, Organisation & { name: string; digest: string; at: number }>(
      client,
      "OrganisationImport.begin",
      ({ at, digest, name, organisationId }) => sql`with o as (
         insert into ${changedTable("organisation")} (id, name, status)
         values (${organisationId}::uuid, ${name}::text, 'inactive') returning id
       )
       ${mainChange} insert into ${table("console_import")} (organisation_id, digest, started_at)
       select o.id, ${digest}::text, ${instant(at)} from o`
    ),
    sequence: insertingOnce(client, "event_sequence", { last: "bigint", occurred_at: "timestamptz" }),
    requirements: insertingOnce(client, "requirement_list", { version: "integer", updated_at: "timestamptz" }),
    ownSettings: insertingOnce(client, "console_organisation", { require_second_factor: "boolean", views: "jsonb" }),
    finish: statement<never, Organisation & { status: string }>(
      client,
      "OrganisationImport.finish",
      ({ organisationId, status }) => sql`with done as (
         delete from ${table("console_import")} where organisation_id = ${organisationId}::uuid returning organisation_id
       )
       ${mainChange} update ${changedTable("organisation")} o set status = ${status}::text
       from done where o.id = done.organisation_id`
    )
  }
}
