/**
 * Totals of an organisation, as the first page of the console shows them.
 */
import { mainQuery, PgClient, type PgText, sql, table } from "@solar-sites/adapter-postgres"
import type { DocumentStatus, OrganisationId, RepositoryError } from "@solar-sites/core"
import { Clock, Context, Effect, Layer } from "effect"
import type { Overview } from "../../console/contract/OrganisationApi.ts"
import { instant, statement } from "../Statement.ts"

type OverviewDocument = typeof Overview.Type

const shownPortfolios = 8

// No index has the state: each document is read.
const maximumCounted = 100_000

const states: ReadonlyArray<DocumentStatus> = ["pending", "uploaded", "approved", "completed", "failed"]

/** Parameters: organisation, now. */
const readText = (): PgText => {
  const count = (name: string, condition = "true") =>
    sql`(select count(*) from ${table(name)} where organisation_id = $1::uuid and ${condition})`
  return sql`
    with held as materialized (
      select portfolio_id, count(*) as sites, sum(capacity_kw) as kw
      from ${table("site")} where organisation_id = $1::uuid group by portfolio_id
    ), largest as (
      select p.id, p.name, h.sites, h.kw
      from held h join ${table("portfolio")} p on p.organisation_id = $1::uuid and p.id = h.portfolio_id
      order by h.kw desc, p.id limit ${shownPortfolios}
    ), counted as (
      select d.status, count(*) as documents
      from (
        select status from ${table("document")} where organisation_id = $1::uuid order by id desc limit ${maximumCounted}
      ) d group by d.status
    )
    ${mainQuery} select json_build_object(
      'siteCount', (select coalesce(sum(sites), 0) from held),
      'capacityKw', (select coalesce(sum(kw), 0) from held),
      'portfolios', (
        select coalesce(json_agg(json_build_object(
          'id', l.id, 'name', l.name, 'siteCount', l.sites, 'capacityKw', l.kw
        ) order by l.kw desc, l.id), '[]') from largest l
      ),
      'otherPortfolios', (select greatest(count(portfolio_id) - ${shownPortfolios}, 0) from held),
      'withoutPortfolio', json_build_object(
        'siteCount', (select coalesce(sum(sites), 0) from held where portfolio_id is null),
        'capacityKw', (select coalesce(sum(kw), 0) from held where portfolio_id is null)
      ),
      'documents', json_build_object(${states
        .map((state) => `'${state}', (select coalesce(sum(documents), 0) from counted where status = '${state}')`)
        .join(", ")}),
      'requirements', ${count("requirement")},
      'apiKeys', ${count("api_key", `expires_at > ${instant("$2")}`)},
      'users', ${count("console_user")}
    )::text`
}

export class OrganisationOverview extends Context.Service<
  OrganisationOverview,
  {
    readonly get: (organisationId: OrganisationId) => Effect.Effect<OverviewDocument | null, RepositoryError>
  }
>()("@solar-sites/reference-server/OrganisationOverview") {
  static readonly layer: Layer.Layer<OrganisationOverview, never, PgClient> = Layer.effect(
    OrganisationOverview,
    Effect.map(PgClient, (client) => {
      const read = statement<OverviewDocument>(client, "OrganisationOverview.read", readText(), {
        repeatable: true,
        owned: true
      })
      return OrganisationOverview.of({
        get: (organisationId) => Effect.flatMap(Clock.currentTimeMillis, (now) => read(organisationId, now))
      })
    })
  )
}
