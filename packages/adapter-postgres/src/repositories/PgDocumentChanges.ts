/**
 * Changes of a stored document: status, new upload address, deletion.
 *
 * Statements lock the site before the document, as the deletion of a site does, so that none of them
 * deadlock. The site of a document never changes, so it is read before the locks. An update sees its
 * table as it was when the statement began, so conditions compare the locked rows.
 */
import {
  DocumentNotFound,
  type DocumentRepository,
  type DocumentStatus,
  FileNotDeleted,
  InvalidTransition,
  maximumPendingDocuments,
  parseStorageKey,
  statesBefore,
  TooManyPending,
  transitions,
  VersionMismatch
} from "@solar-sites/core"
import { Effect, Option } from "effect"
import { violates } from "../client/PgErrors.ts"
import type { PgClient } from "../PgClient.ts"
import { type DocumentRow, documentPath, documentTable } from "../tables/DocumentTable.ts"
import { instant, isExpected, toMilliseconds, versionsParameter } from "../tables/SqlValues.ts"
import { writing } from "./PgJsonStatement.ts"

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  const document = `${schema}.document d where d.organisation_id = $1::uuid and d.id = $2::uuid`
  const lockSite = `
    select s.id, s.cover_image_url from ${schema}.site s
    where s.organisation_id = $1::uuid and s.id = (select site_id from document_site)
    for no key update`
  const changed = `(select ${documentTable.row("d")}::json from changed d)`

  return {
    step: writing<{ from: DocumentStatus; expected: boolean; version: number; document: DocumentRow | null }>(
      client,
      "DocumentRepository.step",
      `with document_site as materialized (
         select d.site_id from ${document} and d.type = 'coverImage' and $3::text in ('uploaded', 'failed')
       ), locked_site as materialized (${lockSite}),
       locked_document as materialized (
         select d.id, d.status, d.version, d.refused,
                ${isExpected("d.version", "$8")}
                  and ($9::float8 is null or d.address_expires_at = ${instant("$9")})
                  and ($10::float8 is null or d.created_at = ${instant("$10")}) as expected
         from ${document} and (select count(*) from locked_site) >= 0
         for no key update
       ), changed as (
         update ${schema}.document d
         set status = $3::text, look_at = null, updated_at = ${instant("$7")}, version = d.version + 1,
             refused = $3::text = 'failed' and $9::float8 is null,
             size_bytes = case $3::text when 'uploaded' then coalesce($5::bigint, d.size_bytes) else d.size_bytes end,
             failure_reason = case $3::text when 'failed' then $6::text end,
             declared_bytes = case when d.status = 'uploaded' and $3::text = 'failed' then null else d.declared_bytes end
         from locked_document l
         where d.organisation_id = $1::uuid and d.id = l.id and l.expected
           and (l.status = any ($4::text::text[])
             or l.status = 'failed' and not l.refused and $3::text in ('uploaded', 'failed') and $9::float8 is null)
         returning d.*
       ), listed as (
         insert into ${schema}.deleted_file (organisation_id, site_id, document_id, address_expires_at)
         select d.organisation_id, d.site_id, d.id, d.address_expires_at from changed d, locked_document l
         where d.refused and l.status <> 'uploaded'
         on conflict (organisation_id, site_id, document_id) do update set due_at = excluded.due_at
       ), covered as (
         update ${schema}.site s
         set cover_image_url = ${documentPath("d")}, updated_at = ${instant("$7")}, version = s.version + 1
         from locked_site l, changed d
         where s.organisation_id = $1::uuid and s.id = l.id and d.status = 'uploaded'
           and l.cover_image_url is distinct from ${documentPath("d")}
       ), uncovered as (
         update ${schema}.site s
         set cover_image_url = null, updated_at = ${instant("$7")}, version = s.version + 1
         from locked_site l, changed d
         where s.organisation_id = $1::uuid and s.id = l.id and d.status = 'failed'
           and l.cover_image_url = ${documentPath("d")}
       )
       select json_build_object(
         'from', l.status, 'expected', l.expected, 'version', l.version, 'document', ${changed}
       )::text
       from locked_document l`
    ),

    reopen: writing<{ from: DocumentStatus; undeleted: boolean; full: boolean; document: DocumentRow | null }>(
      client,
      "DocumentRepository.reopen",
      `with locked_document as materialized (
         select d.id, d.site_id, d.status, d.refused from ${document} for no key update
       ), deleted as (
         delete from ${schema}.deleted_file f using locked_document l
         where f.organisation_id = $1::uuid and f.site_id = l.site_id and f.document_id = l.id
           and l.refused and f.claimed_until = ${instant("$6")}
         returning f.document_id
       ), changed as (
         update ${schema}.document d
         set address_expires_at = ${instant("$5")}, look_at = ${instant("$5")}, status = 'pending',
             size_bytes = d.declared_bytes, failure_reason = null, refused = false,
             updated_at = case d.status when 'pending' then d.updated_at else ${instant("$4")} end,
             version = case d.status when 'pending' then d.version else d.version + 1 end
         from locked_document l
         where d.organisation_id = $1::uuid and d.id = l.id
           and (l.status = 'pending' or l.status = any ($3::text::text[]))
           and (not l.refused or exists (select from deleted))
         returning d.*
       )
       select json_build_object(
         'from', l.status, 'undeleted', u.undeleted, 'document', ${changed},
         'full', case when u.undeleted then ${maximumPendingDocuments} <= (select count(*) from (
           select from ${schema}.document p
           where p.organisation_id = $1::uuid and p.look_at is not null limit ${maximumPendingDocuments}
         ) pending) else false end
       )::text
       from locked_document l, lateral (select l.refused and not exists (select from deleted) as undeleted) u`
    ),

    // When a concurrent claim has listed the file since this statement began, the insert finds its row.
    claimFile: writing<{ wanted: boolean; claimed: boolean }>(
      client,
      "DocumentRepository.claimFile",
      `with refused as materialized (
         select d.address_expires_at from ${schema}.document d
         where d.organisation_id = $1::uuid and d.id = $3::uuid and d.site_id = $2::uuid and d.refused
         for no key update
       ), listed as materialized (
         select f.address_expires_at from ${schema}.deleted_file f
         where f.organisation_id = $1::uuid and f.site_id = $2::uuid and f.document_id = $3::uuid
         for update
       ), claimed as (
         insert into ${schema}.deleted_file as f (
           organisation_id, site_id, document_id, address_expires_at, due_at, claimed_until
         )
         select $1::uuid, $2::uuid, $3::uuid, max(w.address_expires_at), ${instant("$5")}, ${instant("$5")}
         from (select * from refused union all select * from listed) w
         having count(*) > 0
         on conflict (organisation_id, site_id, document_id) do update
         set due_at = excluded.due_at, claimed_until = excluded.claimed_until
         where f.claimed_until is null or f.claimed_until <= ${instant("$4")}
         returning f.document_id
       )
       select json_build_object(
         'wanted', exists (select from refused) or exists (select from listed), 'claimed', exists (select from claimed)
       )::text`
    ),

    // A trigger of the table lists the file for deletion.
    delete: writing<{ removed: boolean; version: number }>(
      client,
      "DocumentRepository.delete",
      `with document_site as materialized (select d.site_id from ${document}),
       locked_site as materialized (${lockSite}),
       locked_document as materialized (
         select d.id, d.version, ${documentPath("d")} as path,
                ${isExpected("d.version", "$4")} as expected
         from ${document} and (select count(*) from locked_site) >= 0
         for update
       ), removed as (
         delete from ${schema}.document d using locked_document l
         where d.organisation_id = $1::uuid and d.id = l.id and l.expected
       ), uncovered as (
         update ${schema}.site s
         set cover_image_url = null, updated_at = ${instant("$3")}, version = s.version + 1
         from locked_site l, locked_document d
         where s.organisation_id = $1::uuid and s.id = l.id and d.expected and l.cover_image_url = d.path
       )
       select json_build_object('removed', l.expected, 'version', l.version)::text from locked_document l`
    )
  }
}

const refused = (from: DocumentStatus, to: DocumentStatus) =>
  new InvalidTransition({ from, to, allowed: transitions[from] })

const statesParameter = (states: ReadonlyArray<DocumentStatus>): string => `{${states.join(",")}}`

/** Constraint of the triggers that run when a document becomes pending. */
export const pendingMaximum = "document_pending_maximum"

export const tooManyPending = () => new TooManyPending({ maximum: maximumPendingDocuments })

/** The methods of `DocumentRepository` that change a stored document. */
export const makeChanges = (
  client: PgClient["Service"]
): Pick<DocumentRepository["Service"], "step" | "reopen" | "claimFile" | "delete"> => {
  const sql = statements(client)

  return {
    step: Effect.fnUntraced(function* (organisationId, documentId, step, { at, expectedVersions }) {
      const { createdAt, failureReason = null, lapsedAt, sizeBytes = null, to } = step
      const answer = yield* sql.step(
        organisationId,
        documentId,
        to,
        statesParameter(statesBefore(to)),
        sizeBytes,
        failureReason,
        toMilliseconds(at),
        versionsParameter(expectedVersions),
        lapsedAt === undefined ? null : toMilliseconds(lapsedAt),
        createdAt === undefined ? null : toMilliseconds(createdAt)
      )
      if (answer === null) return yield* new DocumentNotFound({ documentId })
      if (!answer.expected) return yield* new VersionMismatch({ actual: answer.version })
      if (answer.document === null) return yield* refused(answer.from, to)
      return documentTable.reader({ organisationId })(answer.document)
    }),

    reopen: Effect.fnUntraced(function* (organisationId, documentId, { addressExpiresAt, at, claimedUntil }) {
      const answer = yield* sql
        .reopen(
          organisationId,
          documentId,
          statesParameter(statesBefore("pending")),
          toMilliseconds(at),
          toMilliseconds(addressExpiresAt),
          claimedUntil === undefined ? null : toMilliseconds(claimedUntil)
        )
        .pipe(Effect.catchIf(violates(pendingMaximum), tooManyPending))
      if (answer === null) return yield* new DocumentNotFound({ documentId })
      // Otherwise the caller deletes the file and is refused afterwards.
      if (answer.full) return yield* tooManyPending()
      if (answer.undeleted) return yield* new FileNotDeleted()
      if (answer.document === null) return yield* refused(answer.from, "pending")
      return documentTable.reader({ organisationId })(answer.document)
    }),

    claimFile: Effect.fnUntraced(function* (organisationId, key, { now, until }) {
      const { documentId, siteId } = Option.getOrThrow(parseStorageKey(key))
      const answer = yield* sql.claimFile(
        organisationId,
        siteId,
        documentId,
        toMilliseconds(now),
        toMilliseconds(until)
      )
      if (answer?.wanted === true && !answer.claimed) return yield* new FileNotDeleted()
      return answer?.claimed === true
    }),

    delete: Effect.fnUntraced(function* (organisationId, documentId, { at, expectedVersions }) {
      const versions = versionsParameter(expectedVersions)
      const answer = yield* sql.delete(organisationId, documentId, toMilliseconds(at), versions)
      if (answer === null) return yield* new DocumentNotFound({ documentId })
      if (!answer.removed) return yield* new VersionMismatch({ actual: answer.version })
    })
  }
}
