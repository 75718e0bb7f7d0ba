/**
 * New upload addresses of stored documents, and claims of files that are deleted before.
 */
import {
  DocumentNotFound,
  type DocumentRepository,
  type DocumentStatus,
  FileNotDeleted,
  maximumPendingDocuments,
  parseStorageKey,
  statesBefore,
  TooManyPending
} from "@solar-sites/core"
import { Effect, Option } from "effect"
import { violates } from "../client/PgErrors.ts"
import type { PgClient } from "../PgClient.ts"
import { type DocumentRow, documentEvent, documentTable } from "../tables/DocumentTable.ts"
import { instant, toMilliseconds } from "../tables/SqlValues.ts"
import { checkedDocuments, pendingMaximum } from "./PgDocumentChain.ts"
import { refusedTransition, statesParameter } from "./PgDocumentChanges.ts"
import { type OriginOf, originFrom, writeEvents, writtenTypes } from "./PgEventLog.ts"
import { writing } from "./PgJsonStatement.ts"

const statements = (client: PgClient["Service"]) => {
  const { schema } = client

  return {
    reopen: writing<{ from: DocumentStatus; undeleted: boolean; full: boolean; document: DocumentRow | null }>(
      client,
      "DocumentRepository.reopen",
      `with locked_document as materialized (
         select d.* from ${schema}.document d
         where d.organisation_id = $1::uuid and d.id = $2::uuid
         for no key update
       ), deleted as (
         delete from ${schema}.deleted_file f using locked_document l
         where f.organisation_id = $1::uuid and f.site_id = l.site_id and f.document_id = l.id
           and l.refused and f.claimed_until = ${instant("$6")}
         returning f.document_id
       ), changed as (
         update ${schema}.document d
         set address_expires_at = greatest(d.address_expires_at, ${instant("$5")}),
             look_at = greatest(d.address_expires_at, ${instant("$5")}), status = 'pending',
             size_bytes = d.declared_bytes, failure_reason = null, refused = false,
             updated_at = case d.status when 'pending' then d.updated_at else ${instant("$4")} end,
             version = case d.status when 'pending' then d.version else d.version + 1 end
         from locked_document l
         where d.organisation_id = $1::uuid and d.id = l.id
           and (l.status = 'pending' or l.status = any ($3::text::text[]))
           and (not l.refused or exists (select from deleted))
         returning d.*
       ), ${writeEvents(schema, {
         type: "document.reissued",
         from: `changed d join locked_document l on l.id = d.id and not $8::boolean cross join ${originFrom("$7", "o")}`,
         origin: "o",
         ...documentEvent("l", "d", ["status", "sizeBytes", "failureReason"])
       })}, ${checkedDocuments(schema, "select null::uuid where false", "exists (select from locked_document l where l.look_at is null)")}
       select json_build_object(
         'from', l.status, 'undeleted', u.undeleted, 'document', (select ${documentTable.row("d")}::json from changed d),
         'full', case when u.undeleted then ${maximumPendingDocuments} <= (select count(*) from (
           select from ${schema}.document p
           where p.organisation_id = $1::uuid and p.look_at is not null limit ${maximumPendingDocuments}
         ) pending) else false end
       )::text, ${writtenTypes}
       from locked_document l, lateral (select l.refused and not exists (select from deleted) as undeleted) u
       where (select count(*) from checked_documents) >= 0`
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
    )
  }
}

export const tooManyPending = () => new TooManyPending({ maximum: maximumPendingDocuments })

/** The methods of `DocumentRepository` for new upload addresses. */
export const makeReopening = (
  client: PgClient["Service"],
  originOf: OriginOf
): Pick<DocumentRepository["Service"], "reopen" | "claimFile"> => {
  const sql = statements(client)

  return {
    reopen: Effect.fnUntraced(function* (
      organisationId,
      documentId,
      { addressExpiresAt, at, claimedUntil, isRepetition = false }
    ) {
      const answer = yield* sql
        .reopen(
          organisationId,
          documentId,
          statesParameter(isRepetition ? [] : statesBefore("pending")),
          toMilliseconds(at),
          toMilliseconds(addressExpiresAt),
          claimedUntil === undefined ? null : toMilliseconds(claimedUntil),
          yield* originOf(organisationId),
          isRepetition
        )
        .pipe(Effect.catchIf(violates(pendingMaximum), tooManyPending))
      if (answer === null) return yield* new DocumentNotFound({ documentId })
      if (isRepetition && answer.from !== "pending") return yield* refusedTransition(answer.from, "pending")
      // Otherwise the caller deletes the file and is refused afterwards.
      if (answer.full) return yield* tooManyPending()
      if (answer.undeleted) return yield* new FileNotDeleted()
      if (answer.document === null) return yield* refusedTransition(answer.from, "pending")
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
    })
  }
}
