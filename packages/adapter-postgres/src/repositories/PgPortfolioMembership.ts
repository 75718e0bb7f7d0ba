/**
 * Who is in a portfolio: sites join and leave it, also by its end.
 *
 * Every statement here locks the portfolio first and then the sites in ascending
 * order of id, and changes them only when all of them are as they must be: all or
 * nothing, and no two of them wait for each other.
 */
import {
  PortfolioNotFound,
  type PortfolioRepository,
  RepositoryError,
  SiteNotFound,
  SiteNotInPortfolio,
  VersionMismatch
} from "@solar-sites/core"
import { Effect } from "effect"
import { violates } from "../client/PgErrors.ts"
import type { PgClient } from "../PgClient.ts"
import { type SiteRow, siteJson, toSite } from "../tables/SiteRow.ts"
import { toMilliseconds, versionsParameter, writing } from "./PgJsonStatement.ts"

const repetitions = 10

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  const lockPortfolio = (strength: string) => `
    select p.id, p.version from ${schema}.portfolio p
    where p.organisation_id = $1::uuid and p.id = $2::uuid
    for ${strength}`
  const lockAsked = `
    select s as before, s.id, s.portfolio_id from ${schema}.site s
    where s.organisation_id = $1::uuid and s.id in (select id from asked) and exists (select from folder)
    order by s.id
    for no key update of s`
  const asked =
    "select id::uuid, position from jsonb_array_elements_text($3::text::jsonb) with ordinality as a (id, position)"
  const leave = "portfolio_id = null, version = s.version + 1, updated_at = to_timestamp($4::float8 / 1000)"

  return {
    addSites: writing<{ missing: ReadonlyArray<string> | null; sites: ReadonlyArray<SiteRow> | null }>(
      client,
      "PortfolioRepository.addSites",
      `with asked as materialized (${asked}),
       folder as materialized (${lockPortfolio("key share")}),
       locked as materialized (${lockAsked}),
       allowed as materialized (select * from locked where (select count(*) from locked) = (select count(*) from asked)),
       moved as (
         update ${schema}.site s
         set portfolio_id = $2::uuid, version = s.version + 1, updated_at = to_timestamp($4::float8 / 1000)
         from allowed l
         where s.organisation_id = $1::uuid and s.id = l.id and l.portfolio_id is distinct from $2::uuid
         returning s.*
       ), latest as (
         select * from moved
         union all
         select (l.before).* from allowed l where l.portfolio_id is not distinct from $2::uuid
       )
       select json_build_object(
         'missing', (select json_agg(a.id order by a.position) from asked a where a.id not in (select id from locked)),
         'sites', (select json_agg(x.site order by x.position) from (
           select a.position, (${siteJson("s")})::json as site
           from latest s join asked a on a.id = s.id
         ) x)
       )::text
       from folder`
    ),

    removeSites: writing<{ missing: ReadonlyArray<string> | null; expected: boolean; version: number }>(
      client,
      "PortfolioRepository.removeSites",
      `with asked as materialized (${asked}),
       folder as materialized (${lockPortfolio("key share")}),
       locked as materialized (${lockAsked}),
       expected as materialized (
         select $5::text is null or version = any ($5::text::int[]) as is_expected, version from folder
       ), inside as materialized (select id from locked where portfolio_id = $2::uuid),
       released as (
         update ${schema}.site s set ${leave} from inside l
         where s.organisation_id = $1::uuid and s.id = l.id
           and (select count(*) from inside) = (select count(*) from asked)
           and (select is_expected from expected)
       )
       select json_build_object(
         'missing', (select json_agg(a.id order by a.position) from asked a where a.id not in (select id from inside)),
         'expected', e.is_expected, 'version', e.version
       )::text
       from expected e`
    ),

    // A site that joins while this waits for the portfolio is not seen by the statement. Then the
    // reference of that site forbids the end of the portfolio, all of it is rolled back, and is repeated.
    delete: writing<{ removed: boolean; released: number; version: number }>(
      client,
      "PortfolioRepository.delete",
      `with folder as materialized (${lockPortfolio("update")}),
       allowed as materialized (
         select * from folder where $3::text is null or version = any ($3::text::int[])
       ), inside as materialized (
         select s.id from ${schema}.site s
         where s.organisation_id = $1::uuid and s.portfolio_id = $2::uuid and exists (select from allowed)
         order by s.id
         for no key update of s
       ), released as (
         update ${schema}.site s set ${leave} from inside l
         where s.organisation_id = $1::uuid and s.id = l.id
         returning s.id
       ), removed as (
         delete from ${schema}.portfolio p using allowed a
         where p.organisation_id = $1::uuid and p.id = a.id
         returning p.id
       )
       select json_build_object(
         'removed', exists (select from removed), 'released', (select count(*) from released), 'version', f.version
       )::text
       from folder f`
    )
  }
}

/** The part of `PortfolioRepository` that changes who is in a portfolio. */
export const makeMembership = (
  client: PgClient["Service"]
): Pick<PortfolioRepository["Service"], "addSites" | "removeSites" | "delete"> => {
  const sql = statements(client)

  return {
    addSites: Effect.fnUntraced(function* (organisationId, portfolioId, siteIds, { at }) {
      const answer = yield* sql.addSites(organisationId, portfolioId, JSON.stringify(siteIds), toMilliseconds(at))
      if (answer === null) return yield* new PortfolioNotFound({ portfolioId })
      const { missing } = answer
      if (missing !== null) {
        return yield* new SiteNotFound({ siteIds: siteIds.filter((siteId) => missing.includes(siteId)) })
      }
      return (answer.sites ?? []).map(toSite(organisationId))
    }),

    removeSites: Effect.fnUntraced(function* (organisationId, portfolioId, siteIds, { at, expectedVersions }) {
      const answer = yield* sql.removeSites(
        organisationId,
        portfolioId,
        JSON.stringify(siteIds),
        toMilliseconds(at),
        versionsParameter(expectedVersions)
      )
      if (answer === null) return yield* new PortfolioNotFound({ portfolioId })
      const { missing } = answer
      if (missing !== null) {
        const outside = siteIds.filter((siteId) => missing.includes(siteId))
        return yield* new SiteNotInPortfolio({ portfolioId, siteIds: outside })
      }
      if (!answer.expected) return yield* new VersionMismatch({ actual: answer.version })
    }),

    delete: Effect.fnUntraced(function* (organisationId, portfolioId, { at, expectedVersions }) {
      const versions = versionsParameter(expectedVersions)
      const answer = yield* sql.delete(organisationId, portfolioId, versions, toMilliseconds(at)).pipe(
        Effect.retry({ while: violates("site_portfolio"), times: repetitions }),
        Effect.mapError((error) =>
          violates("site_portfolio")(error) ? new RepositoryError({ ...error, retryable: true }) : error
        )
      )
      if (answer === null) return yield* new PortfolioNotFound({ portfolioId })
      if (!answer.removed) return yield* new VersionMismatch({ actual: answer.version })
    })
  }
}
