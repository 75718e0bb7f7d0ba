/**
 * Changes of a stored document: metadata, status, deletion.
 *
 * Statements lock the site before documents, and documents in ascending order of id. The deletion of
 * a site locks the site first, too, so that none of them deadlock. The site of a document never
 * changes, so it is read before the locks. An update sees its table as it was when the statement
 * began, so conditions compare the locked rows.
 */
import {
  DocumentNotFound,
  type DocumentRepository,
  type DocumentStatus,
  InvalidTransition,
  statesBefore,
  transitions,
  VersionMismatch
} from "@solar-sites/core"
import { Effect } from "effect"
import type { PgClient } from "../PgClient.ts"
import { type DocumentRow, documentEvent, documentPath, documentTable } from "../tables/DocumentTable.ts"
import { instant, isExpected, toMilliseconds, versionsParameter } from "../tables/SqlValues.ts"
import {
  furtherEvents,
  joinedNeighbours,
  listedFiles,
  lockedChain,
  metadataIn,
  metadataMembers,
  relinked,
  untilSettled
} from "./PgDocumentChain.ts"
import { type OriginOf, originFrom, writeEvents, writtenTypes } from "./PgEventLog.ts"
import { writing } from "./PgJsonStatement.ts"

/** Columns with values as the list of an update. */
const assigned = (columns: ReturnType<typeof metadataIn>): string =>
  columns.map(({ name, value }) => `${name} = ${value}`).join(",\n             ")

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  const document = `${schema}.document d where d.organisation_id = $1::uuid and d.id = $2::uuid`
  const lockSite = `
    select s as before, s.id, s.cover_image_url from ${schema}.site s
    where s.organisation_id = $1::uuid and s.id = (select site_id from document_site)
    for no key update`
  const applies = "c.expected and c.settled and c.allowed"

  return {
    update: writing<{ expected: boolean; version: number; document: DocumentRow }>(
      client,
      "DocumentRepository.update",
      `with locked as materialized (
         select d.* from ${document} for no key update
       ), checked as materialized (
         select l.*, ${isExpected("l.version", "$4")} as expected from locked l
       ), changed as (
         update ${schema}.document d
         set updated_at = ${instant("$3")}, version = d.version + 1, ${assigned(metadataIn("$5", "d"))}
         from checked c
         where d.organisation_id = $1::uuid and d.id = c.id and c.expected and (${metadataIn("$5", "c")
           .map(({ name, value }) => `(${value}) is distinct from c.${name}`)
           .join(" or ")})
         returning d.*
       ), ${writeEvents(schema, {
         type: "document.updated",
         from: `changed d join checked c on c.id = d.id cross join ${originFrom("$6", "o")}`,
         origin: "o",
         ...documentEvent("c", "d", metadataMembers)
       })}
       select json_build_object(
         'expected', c.expected, 'version', c.version,
         'document', coalesce((select ${documentTable.row("d")} from changed d), ${documentTable.row("c")})::json
       )::text, ${writtenTypes}
       from checked c`
    ),

    step: writing<{
      from: DocumentStatus
      expected: boolean
      settled: boolean
      version: number
      document: DocumentRow | null
    }>(
      client,
      "DocumentRepository.step",
      `with document_site as materialized (
         select d.site_id from ${document} and d.type = 'coverImage' and $5::text in ('uploaded', 'failed')
       ), locked_site as materialized (${lockSite}),
       ${lockedChain(schema, {
         predecessor: "$5::text in ('uploaded', 'failed')",
         successors: "$5::text = 'failed'",
         lock: "for no key update"
       })}, checked as materialized (
         select s.*, ${isExpected("s.version", "$4")}
                  and ($9::float8 is null or s.address_expires_at = ${instant("$9")})
                  and ($10::float8 is null or s.created_at = ${instant("$10")}) as expected,
                s.status = any ($6::text::text[])
                  or s.status = 'failed' and not s.refused and $5::text in ('uploaded', 'failed')
                     and $9::float8 is null as allowed,
                case when $5::text = 'uploaded' and p.replaced_by <> s.id then 'failed' else $5::text end as next
         from self s left join locked p on p.id = s.replaces
       ), changed as (
         update ${schema}.document d
         set status = c.next, look_at = null, updated_at = ${instant("$3")}, version = d.version + 1,
             refused = c.next = 'failed' and $9::float8 is null,
             size_bytes = case c.next when 'uploaded' then coalesce($7::bigint, d.size_bytes) else d.size_bytes end,
             failure_reason = case when c.next <> $5::text then 'already_replaced'
                                   when c.next = 'failed' then $8::text end,
             declared_bytes = case when c.status = 'uploaded' and c.next = 'failed' then null else d.declared_bytes end,
             replaced_by = case when c.status = 'uploaded' and c.next = 'failed' then null else d.replaced_by end,
             ${assigned(metadataIn("(case when c.next = $5::text then $11::text else '{}' end)", "d"))}
         from checked c
         where d.organisation_id = $1::uuid and d.id = c.id and ${applies}
         returning d.*
       ), leaving as materialized (
         select c.* from checked c where ${applies} and c.status = 'uploaded' and c.next = 'failed'
       ), links (id, replaces, replaced_by, named) as materialized (
         select p.id, p.replaces, c.id, false from checked c join locked p on p.id = c.replaces
         where ${applies} and c.next = 'uploaded'
         union all ${joinedNeighbours}
       ), ${relinked(schema)}, listed as (
         insert into ${schema}.deleted_file (organisation_id, site_id, document_id, address_expires_at)
         select d.organisation_id, d.site_id, d.id, d.address_expires_at from changed d, checked c
         where d.refused and c.status <> 'uploaded'
         on conflict (organisation_id, site_id, document_id) do update set due_at = excluded.due_at
       ), covered as (
         update ${schema}.site s
         set cover_image_url = ${documentPath("d")}, updated_at = ${instant("$3")}, version = s.version + 1
         from locked_site l, changed d
         where s.organisation_id = $1::uuid and s.id = l.id and d.status = 'uploaded'
           and l.cover_image_url is distinct from ${documentPath("d")}
         returning s.*
       ), uncovered as (
         update ${schema}.site s
         set cover_image_url = null, updated_at = ${instant("$3")}, version = s.version + 1
         from locked_site l, changed d
         where s.organisation_id = $1::uuid and s.id = l.id and d.status = 'failed'
           and l.cover_image_url = ${documentPath("d")}
         returning s.*
       ), ${writeEvents(
         schema,
         {
           type: { sql: "'document.' || d.status" },
           from: `changed d join checked c on c.id = d.id cross join ${originFrom("$12", "o")}`,
           origin: "o",
           ...documentEvent("c", "d")
         },
         ...furtherEvents("(select * from covered union all select * from uncovered)", "$12")
       )}
       select json_build_object(
         'from', c.status, 'expected', c.expected, 'settled', c.settled, 'version', c.version,
         'document', (select ${documentTable.row("d")}::json from changed d)
       )::text, ${writtenTypes}
       from checked c`
    ),

    delete: writing<{ expected: boolean; settled: boolean; version: number }>(
      client,
      "DocumentRepository.delete",
      `with document_site as materialized (select d.site_id from ${document}),
       locked_site as materialized (${lockSite}),
       ${lockedChain(schema, { predecessor: "true", successors: "true", lock: "for update" })},
       checked as materialized (
         select s.*, ${documentPath("s")} as path, ${isExpected("s.version", "$4")} as expected from self s
       ), leaving as materialized (
         select c.* from checked c where c.expected and c.settled
       ), links (id, replaces, replaced_by, named) as materialized (${joinedNeighbours}
       ), ${relinked(schema)}, removed as (
         delete from ${schema}.document d using leaving l where d.organisation_id = $1::uuid and d.id = l.id
         returning d.*
       ), ${listedFiles(schema, "removed")}, uncovered as (
         update ${schema}.site s
         set cover_image_url = null, updated_at = ${instant("$3")}, version = s.version + 1
         from locked_site l, leaving d
         where s.organisation_id = $1::uuid and s.id = l.id and l.cover_image_url = d.path
         returning s.*
       ), ${writeEvents(
         schema,
         {
           type: "document.deleted",
           from: `removed d join listed f on f.document_id = d.id cross join ${originFrom("$5", "o")}`,
           origin: "o",
           ...documentEvent("d", null)
         },
         ...furtherEvents("uncovered", "$5")
       )}
       select json_build_object('expected', c.expected, 'settled', c.settled, 'version', c.version)::text, ${writtenTypes}
       from checked c`
    )
  }
}

export const refusedTransition = (from: DocumentStatus, to: DocumentStatus) =>
  new InvalidTransition({ from, to, allowed: transitions[from] })

export const statesParameter = (states: ReadonlyArray<DocumentStatus>): string => `{${states.join(",")}}`

/** The methods of `DocumentRepository` that change or delete a stored document. */
export const makeChanges = (
  client: PgClient["Service"],
  originOf: OriginOf
): Pick<DocumentRepository["Service"], "update" | "step" | "delete"> => {
  const sql = statements(client)

  return {
    update: Effect.fnUntraced(function* (organisationId, documentId, changes, { at, expectedVersions }) {
      const versions = versionsParameter(expectedVersions)
      const input = documentTable.input(changes)
      const origin = yield* originOf(organisationId)
      const answer = yield* sql.update(organisationId, documentId, toMilliseconds(at), versions, input, origin)
      if (answer === null) return yield* new DocumentNotFound({ documentId })
      if (!answer.expected) return yield* new VersionMismatch({ actual: answer.version })
      return documentTable.reader({ organisationId })(answer.document)
    }),

    step: Effect.fnUntraced(function* (organisationId, documentId, step, { at, expectedVersions }) {
      const { changes = {}, createdAt, failureReason = null, lapsedAt, sizeBytes = null, to } = step
      const statement = sql.step(
        organisationId,
        documentId,
        toMilliseconds(at),
        versionsParameter(expectedVersions),
        to,
        statesParameter(statesBefore(to)),
        sizeBytes,
        failureReason,
        lapsedAt === undefined ? null : toMilliseconds(lapsedAt),
        createdAt === undefined ? null : toMilliseconds(createdAt),
        documentTable.input(changes),
        yield* originOf(organisationId)
      )
      const answer = yield* untilSettled(statement)
      if (answer === null) return yield* new DocumentNotFound({ documentId })
      if (!answer.expected) return yield* new VersionMismatch({ actual: answer.version })
      if (answer.document === null) return yield* refusedTransition(answer.from, to)
      return documentTable.reader({ organisationId })(answer.document)
    }),

    delete: Effect.fnUntraced(function* (organisationId, documentId, { at, expectedVersions }) {
      const versions = versionsParameter(expectedVersions)
      const origin = yield* originOf(organisationId)
      const answer = yield* untilSettled(sql.delete(organisationId, documentId, toMilliseconds(at), versions, origin))
      if (answer === null) return yield* new DocumentNotFound({ documentId })
      if (!answer.expected) return yield* new VersionMismatch({ actual: answer.version })
    })
  }
}
