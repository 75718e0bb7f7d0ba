/**
 * Keeps sites in the table `site`.
 */
import {
  type ExpectedVersions,
  type OrganisationId,
  PortfolioNotFound,
  type SiteId,
  SiteNotFound,
  SiteRepository,
  VersionMismatch
} from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { PgClient } from "../PgClient.ts"
import { documentEvent } from "../tables/DocumentTable.ts"
import { kilowatts, type SiteRow, siteEvent, siteTable } from "../tables/SiteTable.ts"
import { instant, isExpected, toMilliseconds, versionsParameter } from "../tables/SqlValues.ts"
import { listedFiles } from "./PgDocumentChain.ts"
import { originFrom, originParameters, writeEvents, writtenTypes } from "./PgEventLog.ts"
import { arrayText } from "./PgFinding.ts"
import { finding, reading, retriedOn, writing } from "./PgJsonStatement.ts"
import { makeSaveMany } from "./PgSiteBulk.ts"
import { externalIdTaken, makeInsert, siteTakenBy } from "./PgSiteInsertion.ts"
import { makeSiteList } from "./PgSiteListing.ts"

const idOf = siteTable.get("id")

const { settable } = siteTable
/** SQL of the values that callers set, in a row. */
const settableOf = (row: string) => settable.map((column) => `${row}.${column}`).join(", ")

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  const ofOrganisation = `from ${schema}.site s where s.organisation_id = $1::uuid`

  return {
    findById: finding<SiteRow>(
      client,
      "SiteRepository.findById",
      `select ${siteTable.rows("s")} ${ofOrganisation} and s.id = any ($2::text::uuid[])`,
      idOf
    ),

    idsByExternalId: reading<ReadonlyArray<readonly [externalId: string, id: SiteId]>>(
      client,
      "SiteRepository.idsByExternalId",
      // One look-up in the index for each: after many changes the planner would read all sites.
      `select coalesce(json_agg(json_build_array(s.external_id, s.id)), '[]')::text
       from unnest($2::text::text[]) as asked (external_id)
       cross join lateral (
         select s.external_id, s.id ${ofOrganisation} and s.external_id = asked.external_id offset 0
       ) s`
    ),

    // All statements lock the portfolio before the site, so that none of them deadlock. The condition
    // compares the locked row (before): s is the row as it was when the statement began.
    update: writing<{
      portfolioFound: boolean
      expected: boolean
      takenBy: string | null
      version: number
      site: SiteRow
    }>(
      client,
      "SiteRepository.update",
      `with locked_portfolio as materialized (
         select p.id from ${schema}.portfolio p
         where p.organisation_id = $1::uuid and p.id = ($3::text::jsonb ->> 'portfolio_id')::uuid
         for key share
       ), locked_site as materialized (
         select s as before, s.id, s.version from ${schema}.site s
         where s.organisation_id = $1::uuid and s.id = $2::uuid and (select count(*) from locked_portfolio) >= 0
         for no key update
       ), checked as materialized (
         select l.*,
                ($3::text::jsonb ->> 'portfolio_id') is null
                  or exists (select from locked_portfolio) as portfolio_found,
                ${isExpected("l.version", "$5")} as expected,
                ${siteTakenBy(schema, "($3::text::jsonb ->> 'external_id')", "l.id")} as taken_by
         from locked_site l
       ), changed as (
         update ${schema}.site s
         set updated_at = ${instant("$4")}, version = s.version + 1, kilowatts_per_unit = ${kilowatts("n.unit")},
             ${settable.map((column) => `${column} = n.${column}`).join(", ")}
         from checked c cross join lateral jsonb_populate_record(c.before, $3::text::jsonb) n
         where s.organisation_id = $1::uuid and s.id = c.id and c.portfolio_found and c.expected and c.taken_by is null
           and (${settableOf("n")}) is distinct from (${settableOf("(c.before)")})
         returning s.*
       ), ${writeEvents(schema, {
         type: "site.updated",
         from: `changed s join checked c on c.id = s.id cross join ${originFrom("$6", "o")}`,
         origin: "o",
         ...siteEvent("(c.before)", "s")
       })}
       select json_build_object(
         'portfolioFound', c.portfolio_found, 'expected', c.expected, 'takenBy', c.taken_by, 'version', c.version,
         'site', (select ${siteTable.row("s")}::json from (
           select * from changed union all select (c.before).* where not exists (select from changed)
         ) s)
       )::text, ${writtenTypes}
       from checked c`
    ),

    // The statement does not see a document that is stored while it waits for the site. The foreign
    // key of that document then rolls the deletion back, and it is retried.
    delete: writing<{ removed: boolean; version: number }>(
      client,
      "SiteRepository.delete",
      `with locked_site as materialized (
         select s.id, s.version ${ofOrganisation} and s.id = $2::uuid for update
       ), checked as materialized (
         select * from locked_site where ${isExpected("version", "$3")}
       ), locked_documents as materialized (
         select d.id from ${schema}.document d
         where d.organisation_id = $1::uuid and d.site_id = $2::uuid and exists (select from checked)
         order by d.id
         for update
       ), removed_documents as (
         delete from ${schema}.document d using locked_documents l
         where d.organisation_id = $1::uuid and d.id = l.id
         returning d.*
       ), ${listedFiles(schema, "removed_documents")}, removed as (
         delete from ${schema}.site s using checked c
         where s.organisation_id = $1::uuid and s.id = c.id
         returning s.*
       ), ${writeEvents(
         schema,
         {
           type: "site.deleted",
           from: `removed s cross join ${originFrom("$4", "o")}`,
           origin: "o",
           ...siteEvent("s", null)
         },
         {
           type: "document.deleted",
           from: `removed_documents d join listed f on f.document_id = d.id cross join ${originFrom("$4", "o")}`,
           origin: "o",
           number: "1 + row_number() over (order by d.id)",
           ...documentEvent("d", null)
         }
       )}
       select json_build_object('removed', exists (select from removed), 'version', l.version)::text, ${writtenTypes}
       from locked_site l`
    )
  }
}

export const layer: Layer.Layer<SiteRepository, never, PgClient> = Layer.effect(
  SiteRepository,
  Effect.gen(function* () {
    const client = yield* PgClient
    const sql = statements(client)
    const originOf = yield* originParameters

    const findById = (organisationId: OrganisationId, siteId: SiteId) =>
      Effect.map(sql.findById(organisationId, siteId), (row) =>
        Option.map(Option.fromNullOr(row), siteTable.reader({ organisationId }))
      )

    const idsByExternalId: SiteRepository["Service"]["idsByExternalId"] = (organisationId, externalIds) =>
      Effect.map(sql.idsByExternalId(organisationId, arrayText(externalIds)), (found) => new Map(found))

    const update: SiteRepository["Service"]["update"] = Effect.fnUntraced(function* (
      organisationId,
      siteId,
      changes,
      { at, expectedVersions }
    ) {
      const input = siteTable.input(changes)
      const versions = versionsParameter(expectedVersions)
      const origin = yield* originOf(organisationId)
      const answer = yield* retriedOn("site_external_id")(
        sql.update(organisationId, siteId, input, toMilliseconds(at), versions, origin)
      )
      if (answer === null) return yield* new SiteNotFound({ siteIds: [siteId] })
      const { externalId, portfolioId } = changes
      if (!answer.portfolioFound && portfolioId) return yield* new PortfolioNotFound({ portfolioId })
      if (!answer.expected) return yield* new VersionMismatch({ actual: answer.version })
      if (answer.takenBy !== null) return yield* externalIdTaken(externalId, answer.takenBy)
      return siteTable.reader({ organisationId })(answer.site)
    })

    const remove = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      siteId: SiteId,
      expectedVersions?: ExpectedVersions
    ) {
      const versions = versionsParameter(expectedVersions)
      const origin = yield* originOf(organisationId)
      const answer = yield* retriedOn("document_site")(sql.delete(organisationId, siteId, versions, origin))
      if (answer === null) return yield* new SiteNotFound({ siteIds: [siteId] })
      if (!answer.removed) return yield* new VersionMismatch({ actual: answer.version })
    })

    return SiteRepository.of({
      insert: makeInsert(client, originOf),
      saveMany: makeSaveMany(client, originOf),
      findById,
      idsByExternalId,
      list: makeSiteList(client),
      update,
      delete: remove
    })
  })
)
