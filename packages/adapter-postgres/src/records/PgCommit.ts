/**
 * `Records.commit`: a statement for the creations of each kind, which those of one organisation share, and two for
 * updates.
 *
 * The revision of a row is its `xmin`: every statement that writes the row changes it. It is compared where
 * the row is locked, so that Postgres compares it again with the row that it has waited for. Rows that are
 * referred to are locked first, and the number of events last (docs/decisions/0030).
 */
import {
  type AnyKind,
  type Change,
  type OrganisationId,
  type Records,
  type RepositoryError,
  Revision,
  Stale,
  type Write
} from "@solar-sites/core"
import { Effect } from "effect"
import { violated } from "../client/PgErrors.ts"
import type { PgClient } from "../PgClient.ts"
import { originMembers, originTypes, writeEvents, writtenTypes } from "../repositories/PgEventLog.ts"
import { textOf } from "../repositories/PgJsonStatement.ts"
import { type RecordTable, tableOf } from "./RecordTables.ts"

const newEventTypes = `record_id uuid, ${originTypes}, number integer, type text, subject_id uuid, subject_name text,
  site_id uuid, changes json`

const eventsOf = ({ events, origin }: Change, recordId: string): ReadonlyArray<string> => {
  const members = originMembers(origin)
  return events.map(({ changes, siteId, subjectId, subjectName, type }, index) =>
    JSON.stringify({
      record_id: recordId,
      ...members,
      number: index + 1,
      type,
      subject_id: subjectId,
      subject_name: subjectName,
      site_id: siteId,
      changes
    })
  )
}

/** Writes the events of `$3` about records that were `written`, and answers a value. */
const endingWith = (schema: string, answer: string): string => `${writeEvents(schema, {
  type: { sql: "o.type" },
  from: `json_to_recordset($3::text::json) as o (${newEventTypes}) join written w on w.id = o.record_id`,
  origin: "o",
  number: "o.number",
  subjectId: "o.subject_id",
  subjectName: "o.subject_name",
  siteId: "o.site_id",
  changes: "o.changes::text"
})}
  select (select ${answer} from written w), ${writtenTypes}`

/** References to records other than the organisation, which no statement locks. */
const parentsOf = ({ references }: AnyKind) => references.filter(({ kind }) => kind !== "organisation")

/** The referenced rows, locked against deletion, named `locked_` and the kind. */
const lockedParents = (schema: string, kind: AnyKind, { column }: RecordTable): string =>
  parentsOf(kind)
    .map(
      (parent) => `locked_${parent.kind} as materialized (
        select p.id from ${schema}.${parent.kind} p
        where p.organisation_id = $1::uuid and p.id in (select i.locked_${column(parent.member)} from input i)
        order by p.id
        for key share
      ),`
    )
    .join(" ")

/** SQL condition: the references that an input changes name locked rows. */
const hasParents = (kind: AnyKind, { column }: RecordTable): string =>
  parentsOf(kind)
    .map(({ kind: parent, member }) => {
      const id = `i.locked_${column(member)}`
      return `(${id} is null or ${id} in (select p.id from locked_${parent} p))`
    })
    .join(" and ") || "true"

const inputOf = (kind: AnyKind, { column, inputTypes }: RecordTable): string => {
  const locked = parentsOf(kind).map(({ member }) => `, locked_${column(member)} uuid`)
  return `input as materialized (
    select * from json_to_recordset($2::text::json) as r (${inputTypes}, revision text${locked.join("")})
  )`
}

/** A record with an id or a unique value that is taken is left out, as is one that refers to a missing record. */
const inserting = (schema: string, kind: AnyKind, table: RecordTable): string => {
  const { columns, name, owner } = table
  const unique = kind.unique.map((member) => `i.${table.column(member)}`)
  return `with ${inputOf(kind, table)}, ${lockedParents(schema, kind, table)} written as (
    insert into ${schema}.${name} as x (${[owner, ...columns.map(({ name: column }) => column)].join(", ")})
    select $1::uuid, ${columns.map(({ value }) => value("i")).join(", ")}
    from input i
    where ${hasParents(kind, table)}
    order by ${[...unique, "i.id"].join(", ")}
    on conflict do nothing
    returning x.id
  ), ${endingWith(schema, `'[' || string_agg('"' || w.id || '"', ',') || ']'`)}`
}

/** Not written after the creation. */
const kept = ["id", "created_at"]

const updating = (schema: string, kind: AnyKind, table: RecordTable, without: ReadonlyArray<string>): string => {
  const { columns, name, owner } = table
  const skipped = new Set([...kept, ...without.map(table.column)])
  const set = columns.filter((column) => !skipped.has(column.name))
  return `with ${inputOf(kind, table)}, ${lockedParents(schema, kind, table)} locked as materialized (
    select x.id from ${schema}.${name} x join input i on i.id = x.id
    where x.${owner} = $1::uuid and x.xmin::text = i.revision and ${hasParents(kind, table)}
    for no key update of x
  ), written as (
    update ${schema}.${name} x set ${set.map(({ name: column, value }) => `${column} = ${value("i")}`).join(", ")}
    from input i join locked l on l.id = i.id
    where x.${owner} = $1::uuid and x.id = i.id
    returning x.id, x.xmin as revision
  ), ${endingWith(schema, "w.revision::text")}`
}

/** True when a write changes text that lists search. */
const changesSearched = ({ after, before }: Write, { searched }: RecordTable): boolean =>
  searched.some((member) => Reflect.get(before?.record ?? {}, member) !== Reflect.get(after, member))

/** One write as JSON. References that it does not change are not locked. */
const inputFor = ({ after, before, kind }: Write): string => {
  const table = tableOf(kind.name)
  const locked = parentsOf(kind).flatMap(({ member }) => {
    const id: unknown = Reflect.get(after, member)
    const isSame = before !== null && Reflect.get(before.record, member) === id
    return isSame || id === null ? [] : [[`locked_${table.column(member)}`, id]]
  })
  const further = JSON.stringify({ revision: before?.revision ?? null, ...Object.fromEntries(locked) })
  return `${table.input(after).slice(0, -1)},${further.slice(1)}`
}

interface Creation {
  readonly write: Write
  readonly change: Change
}

const parametersOf = (items: ReadonlyArray<Creation>) => [
  `[${items.map(({ write }) => inputFor(write)).join(",")}]`,
  `[${items.flatMap(({ change, write }) => eventsOf(change, write.id)).join(",")}]`
]

/** Creations with equal references wait for the same locks, so they share a statement. */
const groupOf = ({ after, kind }: Write): string =>
  parentsOf(kind)
    .map(({ member }) => String(Reflect.get(after, member)))
    .join()

/** A statement for creations. Of those with one id it stores the first; the others are stale. */
const creating = ({ batch, schema }: PgClient["Service"], operation: string, kind: AnyKind) => {
  const sent = new WeakSet<Creation>()
  const store = batch({
    operation,
    text: inserting(schema, kind, tableOf(kind.name)),
    readOnly: false,
    parameters: (items: ReadonlyArray<Creation>) => {
      const firsts = [...new Map(items.toReversed().map((item) => [item.write.id, item])).values()]
      for (const item of firsts) sent.add(item)
      return parametersOf(firsts)
    },
    decode: (rows) => new Set<unknown>(JSON.parse(textOf(rows) ?? "[]"))
  })
  return (organisationId: OrganisationId, creation: Creation) =>
    Effect.map(
      store(organisationId, groupOf(creation.write), creation),
      (stored) => sent.has(creation) && stored.has(creation.write.id)
    )
}

const committed = (revision: Revision | null) => ({ _tag: "Committed" as const, revisions: [revision] })

export const makeCommit = (client: PgClient["Service"]): Records["Service"]["commit"] => {
  const { run, schema } = client
  const creations = new Map<string, ReturnType<typeof creating>>()
  const updates = new Map<string, string>()

  const create = (operation: string, organisationId: OrganisationId, write: Write, change: Change) => {
    const key = `${operation} ${write.kind.name}`
    const commit = creations.get(key) ?? creating(client, operation, write.kind)
    creations.set(key, commit)
    return Effect.map(commit(organisationId, { write, change }), (isStored) =>
      isStored ? committed(null) : new Stale({ conflict: write.kind.name })
    )
  }

  const update = (operation: string, organisationId: OrganisationId, write: Write, change: Change) => {
    const { kind } = write
    const table = tableOf(kind.name)
    const isSearched = changesSearched(write, table)
    const key = `${kind.name} ${isSearched}`
    const text = updates.get(key) ?? updating(schema, kind, table, isSearched ? [] : table.searched)
    updates.set(key, text)
    const parameters = [organisationId, ...parametersOf([{ write, change }])]
    return Effect.map(run({ operation, text, parameters, scope: { organisationId } }), (rows) => {
      const revision = textOf(rows)
      return revision === null ? new Stale({ conflict: kind.name }) : committed(Revision(revision))
    })
  }

  return (operation, organisationId, change) => {
    const [write] = change.writes
    if (write === undefined || change.writes.length > 1) return Effect.die(new Error("a commit has one write"))
    const { constraints } = tableOf(write.kind.name)
    const commit = write.before === null ? create : update
    return Effect.catch(commit(operation, organisationId, write, change), (error: RepositoryError) => {
      const constraint = violated(error)
      return constraint !== undefined && constraints.includes(constraint)
        ? Effect.succeed(new Stale({ conflict: constraint }))
        : Effect.fail(error)
    })
  }
}
