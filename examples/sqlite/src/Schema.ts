/**
 * The tables. All kinds of records are in one, as JSON. Its indexes follow from the declarations of the kinds.
 */
import { type AnyKind, writtenKinds } from "@solar-sites/core"

/** SQL of the value of a member. Names of members and kinds come from declarations, never from input. */
export const memberSql = (member: string): string => (member === "id" ? "id" : `json ->> '$.${member}'`)

const tables = `
  create table if not exists record (
    organisation_id text not null,
    kind text not null,
    id text not null,
    revision integer not null,
    json text not null,
    primary key (organisation_id, kind, id)
  ) strict, without rowid;

  create index if not exists record_organisation on record (id) where kind = 'organisation';

  create table if not exists event (
    organisation_id text not null,
    sequence integer not null,
    occurred_at text not null,
    json text not null,
    primary key (organisation_id, sequence)
  ) strict, without rowid;

  -- Outlives the events.
  create table if not exists last_event (
    organisation_id text primary key,
    sequence integer not null,
    occurred_at text
  ) strict, without rowid;


  create table if not exists last_revision (number integer not null) strict;
  insert into last_revision select 0 where not exists (select 1 from last_revision);
`

const indexesOf = ({ generated = [], indexed = [], name, references, unique }: AnyKind): ReadonlyArray<string> => {
  const index = (member: string, type: string, columns: string) =>
    `create ${type} if not exists "record_${name}_${member}" on record (${columns}) where kind = '${name}'`
  const found = [...indexed, ...references.map((reference) => reference.member)].filter(
    // The primary key has these.
    (member) => member !== "id" && member !== "organisationId"
  )
  return [
    ...unique.map((member) => index(member, "unique index", `organisation_id, ${memberSql(member)}`)),
    ...generated.map((member) => index(member, "unique index", memberSql(member))),
    ...[...new Set(found)].map((member) => index(member, "index", `organisation_id, ${memberSql(member)}`))
  ]
}

/** Creates missing tables and indexes. */
export const schema: string = [tables, ...writtenKinds.flatMap(indexesOf)].join(";\n")
