/**
 * Keeps sites in the table `site`.
 */
import { type CheckedVersion, reachParts, type SiteId, SiteRepository } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { reading, retriedOn, writing } from "../client/PgJsonStatement.ts"
import { mainQuery, type PgText, sql, table } from "../client/PgText.ts"
import { PgClient } from "../PgClient.ts"
import { originFrom, originParameter, writeEvents, writtenTypes } from "../records/PgEventLog.ts"
import { makeSaveMany } from "../records/PgSiteBulk.ts"
import { documentEvent } from "../tables/DocumentTable.ts"
import { isShownAsStored, siteEvent, siteTable } from "../tables/SiteTable.ts"
import { arrayText, isExpected, versionsParameter } from "../tables/SqlValues.ts"
import { byName, byUpdate, isWithin, reachParameter } from "./PgConditions.ts"
import { pages } from "./PgPages.ts"
import { inPortfolio } from "./PgReached.ts"
import { makeClusters } from "./PgSiteClusters.ts"
import { searchParts, siteConditions } from "./PgSiteConditions.ts"
import { hasHealth } from "./SiteHealthCondition.ts"

/**
 * The expression `listed`: the files of the deleted documents in `rows`, which are due at once. Events
 * of the statement refer to it, so that the log of events is locked after it.
 */
const listedFiles = (rows: string): PgText => sql`
  listed as (
    insert into ${table("deleted_file")} as f (organisation_id, site_id, document_id, address_expires_at)
    select r.organisation_id, r.site_id, r.id, r.address_expires_at from ${rows} r order by r.site_id, r.id
    on conflict (organisation_id, site_id, document_id) do update
    set address_expires_at = greatest(f.address_expires_at, excluded.address_expires_at), due_at = excluded.due_at
    returning f.document_id
  )`

const makeSiteList = (client: PgClient["Service"]): SiteRepository["Service"]["list"] => {
  const list = pages(client, {
    operation: "SiteRepository.list",
    table: siteTable,
    from: sql`${table("site")} x`,
    orders: {
      updatedAt: byUpdate,
      siteName: byName,
      capacityKw: { sql: "x.capacity_kw::float8", parameter: (value) => `${value}::float8` }
    },
    searchOrders: ["siteName"],
    reached: inPortfolio("portfolio_id"),
    parts: searchParts,
    isShownAsStored
  })

  return (reach, { health, q, ...conditions }, page) => {
    const { organisationId, portfolioIds } = reachParts(reach)
    const { leading, others } = siteConditions(conditions, portfolioIds)
    const request = { organisationId, portfolioIds, q, leading, others: [...others, hasHealth(health)], page }
    return list(request, { organisationId })
  }
}

const statements = (client: PgClient["Service"]) => {
  const ofOrganisation = sql`from ${table("site")} s where s.organisation_id = $1::uuid`

  return {
    idsByExternalId: reading<ReadonlyArray<readonly [externalId: string, id: SiteId]>>(
      client,
      "SiteRepository.idsByExternalId",
      // One look-up in the index for each: after many changes the planner would read all sites.
      sql`select coalesce(json_agg(json_build_array(s.external_id, s.id)), '[]')::text
       from unnest($2::text::text[]) as asked (external_id)
       cross join lateral (
         select s.external_id, s.id ${ofOrganisation} and s.external_id = asked.external_id and ${isWithin("$3")} offset 0
       ) s`
    ),

    // The statement does not see a document that is stored while it waits for the site. The foreign
    // key of that document then rolls the deletion back, and it is retried. Lists of documents are not joined:
    // without statistics the server takes each for one row, and would read one once per document of the other.
    delete: writing<CheckedVersion>(
      client,
      "SiteRepository.delete",
      sql`with locked_site as materialized (
         select s.id, s.version ${ofOrganisation} and s.id = $2::uuid and ${isWithin("$5")} for update
       ), checked as materialized (
         select * from locked_site where ${isExpected("version", "$3")}
       ), locked_documents as materialized (
         select d.id from ${table("document")} d
         where d.organisation_id = $1::uuid and d.site_id = $2::uuid and exists (select from checked)
         order by d.id
         for update
       ), removed_documents as (
         delete from ${table("document")} d
         where d.organisation_id = $1::uuid and d.id = any (array(select l.id from locked_documents l))
         returning d.*
       ), ${listedFiles("removed_documents")}, all_listed as materialized (
         select count(*) from listed
       ), removed as (
         delete from ${table("site")} s using checked c
         where s.organisation_id = $1::uuid and s.id = c.id
         returning s.*
       ), ${writeEvents(
         {
           type: "site.deleted",
           from: `removed s cross join ${originFrom("$4", "o")}`,
           origin: "o",
           ...siteEvent("s", null)
         },
         {
           type: "document.deleted",
           from: `removed_documents d cross join all_listed cross join ${originFrom("$4", "o")}`,
           origin: "o",
           number: "1 + row_number() over (order by d.id)",
           ...documentEvent("d", null)
         }
       )}
       ${mainQuery} select json_build_object('isExpected', exists (select from removed), 'version', l.version)::text, ${writtenTypes}
       from locked_site l`
    )
  }
}

export const layer: Layer.Layer<SiteRepository, never, PgClient> = Layer.effect(
  SiteRepository,
  Effect.gen(function* () {
    const client = yield* PgClient
    const sql = statements(client)

    const idsByExternalId: SiteRepository["Service"]["idsByExternalId"] = (reach, externalIds) =>
      Effect.map(sql.idsByExternalId(reach, arrayText(externalIds), reachParameter(reach)), (found) => new Map(found))

    return SiteRepository.of({
      saveMany: makeSaveMany(client),
      idsByExternalId,
      list: makeSiteList(client),
      clusters: makeClusters(client),
      delete: (reach, siteId, { expectedVersions, origin }) =>
        retriedOn("document_site")(
          sql.delete(reach, siteId, versionsParameter(expectedVersions), originParameter(origin), reachParameter(reach))
        )
    })
  })
)
