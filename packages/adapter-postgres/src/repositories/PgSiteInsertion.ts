/**
 * Inserts sites into the table `site`.
 */
import {
  ExternalIdTaken,
  type OrganisationId,
  OrganisationNotFound,
  PortfolioNotFound,
  type Site,
  type SiteRepository
} from "@solar-sites/core"
import { Effect } from "effect"
import { violates } from "../client/PgErrors.ts"
import type { PgClient } from "../PgClient.ts"
import { kilowatts, type SiteRow, siteEvent, siteTable } from "../tables/SiteTable.ts"
import { isInserted, keepExisting } from "../tables/SqlValues.ts"
import { type OriginOf, originInto, originTypes, writeEvents, writtenTypes } from "./PgEventLog.ts"
import { retriedOn, storing } from "./PgJsonStatement.ts"

/** An input of an insert with an external id that another site has. */
interface RefusedSite {
  readonly id: string
  readonly takenBy: string
  readonly portfolioFound: boolean
}

const isRefused = (row: SiteRow | RefusedSite): row is RefusedSite => !Array.isArray(row)

/** SQL of the id of another site with the external id; null when there is none. */
export const siteTakenBy = (schema: string, externalId: string, id: string): string =>
  `(select s.id from ${schema}.site s
    where s.organisation_id = $1::uuid and s.external_id = ${externalId} and s.id <> ${id})`

export const externalIdTaken = (externalId: string | null | undefined, takenBy: string) =>
  new ExternalIdTaken({ conflicts: [{ externalId: externalId ?? "", takenBy }] })

const idOf = siteTable.get("id")

// A site with an existing id is kept, so its external id is not looked at. Entries of the index
// are written in order, so that concurrent inserts of the same external ids do not deadlock.
const inserting = (client: PgClient["Service"]) => {
  const { schema } = client
  return storing<SiteRow | RefusedSite>(
    client,
    "SiteRepository.insert",
    `with input as materialized (
       select r.*, ${siteTakenBy(schema, "r.external_id", "r.id")} as taken_by
       from json_to_recordset($2::text::json) as r (${siteTable.inputTypes}, ${originTypes})
     ), locked_portfolio as materialized (
       select p.id from ${schema}.portfolio p
       where p.organisation_id = $1::uuid and p.id in (select r.portfolio_id from input r)
       order by p.id
       for key share
     ), refused as materialized (
       select i.id, i.taken_by, i.portfolio_id is null
                or exists (select from locked_portfolio p where p.id = i.portfolio_id) as portfolio_found
       from input i
       where i.taken_by is not null
         and not exists (
           select from ${schema}.site s where s.organisation_id = $1::uuid and s.id = i.id
         )
     ), stored as (
       insert into ${schema}.site as s (organisation_id, kilowatts_per_unit, ${siteTable.inserted.join(", ")})
       select $1::uuid, ${kilowatts("r.unit")}, ${siteTable.insertedValues("r").join(", ")}
       from input r
       where (select count(*) from locked_portfolio) >= 0 and not exists (select from refused x where x.id = r.id)
       order by r.external_id, r.id
       ${keepExisting("s")}
       returning s.*, ${isInserted("s")} as inserted
     ), ${writeEvents(schema, {
       type: "site.created",
       from: "stored s join input o on o.id = s.id and s.inserted",
       origin: "o",
       ...siteEvent(null, "s")
     })}
     select '[' || concat_ws(
       ',',
       (select string_agg(${siteTable.row("x")}, ',') from stored x),
       (select string_agg(json_build_object(
          'id', x.id, 'takenBy', x.taken_by, 'portfolioFound', x.portfolio_found
        )::text, ',') from refused x)
     ) || ']', ${writtenTypes}`,
    (row) => (isRefused(row) ? row.id : idOf(row))
  )
}

export const makeInsert = (client: PgClient["Service"], originOf: OriginOf): SiteRepository["Service"]["insert"] => {
  const insert = inserting(client)
  return Effect.fnUntraced(function* (organisationId: OrganisationId, site: Site) {
    const { externalId, portfolioId } = site
    const input = originInto(siteTable.input(site), yield* originOf(organisationId))
    // Inserts into the same portfolio wait for the same lock, so they share a statement.
    const row = yield* insert(organisationId, portfolioId ?? "", site.id, input).pipe(
      retriedOn("site_external_id"),
      Effect.mapError((error) => {
        if (violates("site_organisation")(error)) return new OrganisationNotFound({ organisationId })
        if (portfolioId === null || !violates("site_portfolio")(error)) return error
        return new PortfolioNotFound({ portfolioId })
      })
    )
    if (!isRefused(row)) return siteTable.reader({ organisationId })(row)
    if (portfolioId !== null && !row.portfolioFound) return yield* new PortfolioNotFound({ portfolioId })
    return yield* externalIdTaken(externalId, row.takenBy)
  })
}
