/**
 * Chains of revisions, as parts of statements (docs/decisions/0028). Parameters are $1 the
 * organisation, $2 the document and $3 the instant of the change.
 *
 * A statement reads which documents a change concerns, locks them in ascending order of id, and
 * applies only when they are still the same. Otherwise the adapter repeats it.
 */
import { Effect } from "effect"
import { quoteText } from "../client/PgSchema.ts"
import { documentEvent, documentTable } from "../tables/DocumentTable.ts"
import { siteEvent } from "../tables/SiteTable.ts"
import { instant } from "../tables/SqlValues.ts"
import { type EventSelect, originFrom } from "./PgEventLog.ts"

/** SQL condition: the document is current. */
export const isCurrent = (row: string): string =>
  `(${row}.replaced_by is null and ${row}.status in ('uploaded', 'approved', 'completed'))`

interface ChainLocks {
  /** SQL conditions: the step concerns the predecessor, or the documents that name this one. */
  readonly predecessor: string
  readonly successors: string
  readonly lock: "for update" | "for no key update"
}

/**
 * The rows `locked` before the change, and `self`, this document among them. `self.settled` is false
 * when other rows than the locked ones may be concerned by now.
 */
export const lockedChain = (schema: string, { lock, predecessor, successors }: ChainLocks): string => `
  seen as materialized (
    select d.replaces, d.replacement_requests from ${schema}.document d
    where d.organisation_id = $1::uuid and d.id = $2::uuid
  ), locked as materialized (
    select d.* from ${schema}.document d
    where d.organisation_id = $1::uuid and (select count(*) from locked_site) >= 0
      and d.id = any (array(
        select $2::uuid
        union all
        select s.replaces from seen s where s.replaces is not null and ${predecessor}
        union all
        select n.id from ${schema}.document n
        where n.organisation_id = $1::uuid and n.replaces = $2::uuid and ${successors}
      ))
    order by d.id
    ${lock}
  ), self as materialized (
    select l.*, l.replaces is not distinct from s.replaces
                  and l.replacement_requests = s.replacement_requests as settled
    from locked l cross join seen s where l.id = $2::uuid
  )`

/**
 * Rows of `links` that join the neighbours of the row in `leaving`. Documents that name it name its
 * predecessor instead. An arrived successor names none when the predecessor has another one.
 */
export const joinedNeighbours = `
  select p.id, p.replaces,
         case when p.replaced_by is null or p.replaced_by = s.id then s.replaced_by else p.replaced_by end,
         exists (select from locked n where n.replaces = s.id)
  from leaving s join locked p on p.id = s.replaces
  union all
  select n.id, case when n.id = s.replaced_by and p.replaced_by <> s.id then null else s.replaces end,
         n.replaced_by, false
  from leaving s join locked n on n.replaces = s.id left join locked p on p.id = s.replaces`

/** Writes the rows of `links`. `named`: further documents name the row in `replaces`. */
export const relinked = (schema: string): string => `
  relinked as (
    update ${schema}.document d
    set replaces = k.replaces, replaced_by = k.replaced_by,
        replacement_requests = d.replacement_requests + k.named::int,
        updated_at = case when k.changed then ${instant("$3")} else d.updated_at end,
        version = d.version + k.changed::int
    from (
      select k.*, k.replaces is distinct from l.replaces or k.replaced_by is distinct from l.replaced_by as changed
      from links k join locked l on l.id = k.id
    ) k
    where d.organisation_id = $1::uuid and d.id = k.id and (k.changed or k.named)
    returning d.*
  )`

/** Events of other documents of the chain, in order of id, and of a site with a changed cover. */
export const furtherEvents = (sites: string, originParameter: string): ReadonlyArray<EventSelect> => [
  {
    type: {
      sql: `case when l.replaced_by is null and d.replaced_by is not null
              then 'document.replaced' else 'document.updated' end`
    },
    from: `relinked d join locked l on l.id = d.id and l.version <> d.version
           cross join ${originFrom(originParameter, "o")}`,
    origin: "o",
    number: "1 + row_number() over (order by d.id)",
    ...documentEvent("l", "d", ["replaces", "replacedBy"])
  },
  {
    type: "site.updated",
    from: `${sites} s join locked_site l on l.id = s.id cross join ${originFrom(originParameter, "o")}`,
    origin: "o",
    number: "(select count(*) from relinked) + 2",
    ...siteEvent("(l.before)", "s", ["coverImageUrl"])
  }
]

/**
 * The expression `listed`: the files of the deleted documents in `rows`, which are due at once. Events
 * of the statement refer to it, so that the log of events is locked after it.
 */
export const listedFiles = (schema: string, rows: string): string => `
  listed as (
    insert into ${schema}.deleted_file as f (organisation_id, site_id, document_id, address_expires_at)
    select r.organisation_id, r.site_id, r.id, r.address_expires_at from ${rows} r order by r.site_id, r.id
    on conflict (organisation_id, site_id, document_id) do update
    set address_expires_at = greatest(f.address_expires_at, excluded.address_expires_at), due_at = excluded.due_at
    returning f.document_id
  )`

/**
 * The expression `checked_documents`, after `writeEvents`: fails with the constraint `pathListed` or
 * `pendingMaximum`. The result of the statement has to refer to it. It sees what was committed before
 * the lock of the log of events.
 */
export const checkedDocuments = (schema: string, inserted: string, condition = "true"): string => `
  checked_documents as materialized (
    select ${schema}.check_documents(
      ${quoteText(`${schema}.document`)}, ${quoteText(`${schema}.deleted_file`)}, $1::uuid, array(${inserted})
    ) from event_last where ${condition}
  )`

/** A path that is listed for deletion takes no new document. */
export const pathListed = "document_file_deleted"

/** A document became pending, and there are too many. */
export const pendingMaximum = "document_pending_maximum"

/** Repeats the statement while concurrent ones have changed the chain. Each of them succeeded. */
export const untilSettled = <Answer extends { readonly settled: boolean; readonly expected: boolean }, E>(
  statement: Effect.Effect<Answer | null, E>
): Effect.Effect<Answer | null, E> =>
  Effect.flatMap(statement, (answer) =>
    answer === null || !answer.expected || answer.settled ? Effect.succeed(answer) : untilSettled(statement)
  )

/** In the order of `documentMembers`. */
export const metadataMembers = ["documentType", "filename", "note", "validFrom", "validUntil"] as const

const metadata = metadataMembers.map((member) => documentTable.columns[member])

/**
 * The columns of metadata and their new values: those in the JSON parameter that
 * `documentTable.input` makes, else the values of the row.
 */
export const metadataIn = (parameter: string, row: string) =>
  metadata.map(({ inputType, name }) => ({
    name,
    value: `case when ${parameter}::text::jsonb ? '${name}'
            then (${parameter}::text::jsonb ->> '${name}')::${inputType} else ${row}.${name} end`
  }))
