/**
 * Keeps documents in the table `document`.
 */
import { type DocumentId, DocumentRepository, FileNotDeleted, SiteNotFound } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { violates } from "../client/PgErrors.ts"
import { PgClient } from "../PgClient.ts"
import { type DocumentRow, documentEvent, documentTable } from "../tables/DocumentTable.ts"
import { instant, isInserted, keepExisting, toMilliseconds } from "../tables/SqlValues.ts"
import { checkedDocuments, pathListed, pendingMaximum } from "./PgDocumentChain.ts"
import { makeChanges } from "./PgDocumentChanges.ts"
import { makeDocumentList } from "./PgDocumentListing.ts"
import { makeReopening, tooManyPending } from "./PgDocumentReopening.ts"
import { makeRevisions } from "./PgDocumentRevisions.ts"
import { originFrom, originParameters, writeEvents, writtenTypes } from "./PgEventLog.ts"
import { inInputOrder, reading, writing } from "./PgJsonStatement.ts"

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  const ofOrganisation = `from ${schema}.document d where d.organisation_id = $1::uuid`
  const insertedValues = documentTable.inserted.map((column, index) =>
    column === "replaces" ? "p.id" : documentTable.insertedValues("r")[index]
  )

  return {
    // Predecessors are counted before documents name them (PgDocumentChain). Existing documents are
    // locked with them, in order of id.
    // The lock keeps the site until the documents are stored. A concurrent deletion of the site waits,
    // and then deletes them too. A statement that waits for a deletion finds no site.
    insertMany: writing<ReadonlyArray<DocumentRow>>(
      client,
      "DocumentRepository.insertMany",
      `with locked_site as materialized (
         select s.id from ${schema}.site s where s.organisation_id = $1::uuid and s.id = $2::uuid for key share
       ), deleted as (
         delete from ${schema}.deleted_file f using locked_site l
         where f.organisation_id = $1::uuid and f.site_id = l.id and f.document_id = any ($5::text::uuid[])
           and f.claimed_until = ${instant("$6")}
         returning f.document_id, f.address_expires_at
       ), input as materialized (
         select r.* from jsonb_to_recordset($3::text::jsonb) as r (${documentTable.inputTypes})
       ), locked_document as materialized (
         select d.id ${ofOrganisation} and (select count(*) from locked_site) > 0
           and exists (select from input r where r.replaces is not null)
           and d.id = any (array(select r.id from input r union all select r.replaces from input r))
         order by d.id
         for no key update
       ), predecessor as (
         update ${schema}.document d set replacement_requests = d.replacement_requests + 1
         from locked_document l
         where d.organisation_id = $1::uuid and d.id = l.id and d.id not in (select r.id from input r)
         returning d.id
       ), stored as (
         insert into ${schema}.document as d (
           organisation_id, declared_bytes, address_expires_at, look_at, ${documentTable.inserted.join(", ")}
         )
         select $1::uuid, r.size_bytes, a.expires_at, case r.status when 'pending' then a.expires_at end,
                ${insertedValues.join(", ")}
         from locked_site l join input r on r.site_id = l.id left join predecessor p on p.id = r.replaces
              left join deleted f on f.document_id = r.id
              cross join lateral (select greatest(${instant("$4")}, f.address_expires_at) as expires_at) a
         order by r.id
         ${keepExisting("d")}
         returning d.*, ${isInserted("d")} as inserted
       ), ${writeEvents(schema, {
         type: "document.requested",
         from: `stored d cross join ${originFrom("$7", "o")} where d.inserted`,
         origin: "o",
         number: "row_number() over (order by d.id)",
         ...documentEvent(null, "d")
       })}, ${checkedDocuments(schema, "select d.id from stored d where d.inserted", "(select count(*) from deleted) >= 0")}
       select coalesce((select ${documentTable.rows("d")} from stored d), '[]'), ${writtenTypes}
       from locked_site where (select count(*) from checked_documents) >= 0`
    ),

    findById: reading<DocumentRow>(
      client,
      "DocumentRepository.findById",
      `select ${documentTable.row("d")} ${ofOrganisation} and d.id = $2::uuid`
    ),

    findExisting: reading<ReadonlyArray<DocumentId>>(
      client,
      "DocumentRepository.findExisting",
      `select json_agg(d.id)::text ${ofOrganisation} and d.id = any ($2::text::uuid[])`
    )
  }
}

export const layer: Layer.Layer<DocumentRepository, never, PgClient> = Layer.effect(
  DocumentRepository,
  Effect.gen(function* () {
    const client = yield* PgClient
    const originOf = yield* originParameters
    const sql = statements(client)

    const insertMany: DocumentRepository["Service"]["insertMany"] = Effect.fnUntraced(
      function* (organisationId, siteId, documents, addressExpiresAt, claims) {
        const input = `[${documents.map(documentTable.input).join(",")}]`
        const expiresAt = toMilliseconds(addressExpiresAt)
        const claimed = documents.filter(({ path }) => claims?.keys.includes(path)).map(({ id }) => id)
        const until = claims === undefined ? null : toMilliseconds(claims.until)
        const origin = yield* originOf(organisationId)
        const insert = sql.insertMany(organisationId, siteId, input, expiresAt, `{${claimed.join(",")}}`, until, origin)
        const found = yield* insert.pipe(
          Effect.catchIf(violates(pendingMaximum), tooManyPending),
          Effect.catchTag("RepositoryError", (error) =>
            Effect.fail(violates(pathListed)(error) ? new FileNotDeleted() : error)
          )
        )
        if (found === null) return yield* new SiteNotFound({ siteIds: [siteId] })
        return inInputOrder(documents, found.map(documentTable.reader({ organisationId })))
      }
    )

    return DocumentRepository.of({
      insertMany,
      findById: (organisationId, documentId) =>
        Effect.map(sql.findById(organisationId, documentId), (row) =>
          Option.map(Option.fromNullOr(row), documentTable.reader({ organisationId }))
        ),
      findExisting: (organisationId, documentIds) =>
        Effect.map(sql.findExisting(organisationId, `{${documentIds.join(",")}}`), (found) => new Set(found)),
      list: makeDocumentList(client),
      ...makeChanges(client, originOf),
      ...makeReopening(client, originOf),
      ...makeRevisions(client)
    })
  })
)
