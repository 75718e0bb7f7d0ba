/**
 * Keeps sites in the table `site`.
 *
 * @since 0.1.0
 */
import {
  allConditionsRead,
  type ExpectedVersions,
  type OrganisationId,
  OrganisationNotFound,
  PortfolioNotFound,
  type Site,
  type SiteChanges,
  type SiteId,
  SiteNotFound,
  SiteRepository,
  VersionMismatch
} from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { violates } from "../client/PgErrors.ts"
import { PgClient } from "../PgClient.ts"
import { textPages } from "../tables/PgPage.ts"
import { sitePage, siteTexts } from "../tables/SitePage.ts"
import {
  idOf,
  newSiteColumns,
  newSiteRecord,
  type SiteRow,
  settable,
  siteJson,
  siteRecord,
  toSite
} from "../tables/SiteRow.ts"
import { orAsItIs, toMilliseconds, versionsParameter, writing } from "./PgJsonStatement.ts"
import { finding, storing } from "./PgSharedStatement.ts"

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  const selectSites = (value: string, conditions: string, order: string) =>
    `select ${value} from ${schema}.site s where s.organisation_id = $1::uuid ${conditions} ${order}`
  const list = (count: number, conditions: string) =>
    textPages(
      client,
      "SiteRepository.list",
      "s.id",
      count,
      (rest) => selectSites("s.*", conditions, rest),
      siteTexts("x")
    )

  return {
    insert: storing<SiteRow>(
      client,
      "SiteRepository.insert",
      `with stored as (
         insert into ${schema}.site as s (organisation_id, id, version, created_at, updated_at, ${settable.join(", ")})
         select $1::uuid, r.id, r.version, to_timestamp(r.created / 1000), to_timestamp(r.updated / 1000),
                ${settable.map((column) => `r.${column}`).join(", ")}
         from json_to_recordset($2::text::json) as r (${newSiteColumns})
         order by r.id
         ${orAsItIs("s")}
         returning s.*
       )
       select '[' || string_agg(${siteJson("x")}, ',') || ']' from stored x`,
      idOf
    ),

    findById: finding<SiteRow>(
      client,
      "SiteRepository.findById",
      selectSites(`'[' || string_agg(${siteJson("s")}, ',') || ']'`, "and s.id = any ($2::text::uuid[])", ""),
      idOf
    ),

    all: list(1, ""),
    ofPortfolio: list(2, "and s.portfolio_id = $2::uuid"),
    one: list(2, "and s.id = $2::uuid"),
    oneOfPortfolio: list(3, "and s.id = $2::uuid and s.portfolio_id = $3::uuid"),

    // The portfolio is locked before the site, as everywhere, so that no two statements wait for each other. Compared is the
    // locked row, t.before: s is the row as it was when the statement began, before it waited for others.
    update: writing<{ portfolioFound: boolean; expected: boolean; version: number; site: SiteRow }>(
      client,
      "SiteRepository.update",
      `with folder as materialized (
         select p.id from ${schema}.portfolio p
         where p.organisation_id = $1::uuid and p.id = ($3::text::jsonb ->> 'portfolio_id')::uuid
         for key share
       ), target as materialized (
         select s as before, s.id, s.version from ${schema}.site s
         where s.organisation_id = $1::uuid and s.id = $2::uuid and (select count(*) from folder) >= 0
         for no key update
       ), judged as materialized (
         select t.*,
                ($3::text::jsonb ->> 'portfolio_id') is null or exists (select from folder) as portfolio_found,
                $5::text is null or t.version = any ($5::text::int[]) as expected
         from target t
       ), changed as (
         update ${schema}.site s
         set updated_at = to_timestamp($4::float8 / 1000), version = s.version + 1,
             ${settable.map((column) => `${column} = n.${column}`).join(", ")}
         from judged t cross join lateral jsonb_populate_record(t.before, $3::text::jsonb) n
         where s.organisation_id = $1::uuid and s.id = t.id and t.portfolio_found and t.expected
           and (${settable.map((column) => `n.${column}`).join(", ")})
             is distinct from (${settable.map((column) => `(t.before).${column}`).join(", ")})
         returning s.*
       )
       select json_build_object(
         'portfolioFound', t.portfolio_found, 'expected', t.expected, 'version', t.version,
         'site', (select (${siteJson("s")})::json from (
           select * from changed union all select (t.before).* where not exists (select from changed)
         ) s)
       )::text
       from judged t`
    ),

    delete: writing<{ removed: boolean; version: number }>(
      client,
      "SiteRepository.delete",
      `with target as materialized (
         select s.id, s.version from ${schema}.site s
         where s.organisation_id = $1::uuid and s.id = $2::uuid
         for update
       ), removed as (
         delete from ${schema}.site s using target t
         where s.organisation_id = $1::uuid and s.id = t.id
           and ($3::text is null or t.version = any ($3::text::int[]))
         returning s.id
       )
       select json_build_object('removed', exists (select from removed), 'version', t.version)::text from target t`
    )
  }
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<SiteRepository, never, PgClient> = Layer.effect(
  SiteRepository,
  Effect.map(PgClient, (client) => {
    const sql = statements(client)

    const insert = (organisationId: OrganisationId, site: Site) =>
      // Those that go into one portfolio wait for the same lock, if for any.
      sql.insert(organisationId, site.portfolioId ?? "", site.id, newSiteRecord(site)).pipe(
        Effect.map(toSite(organisationId)),
        Effect.mapError((error) => {
          const { portfolioId } = site
          if (violates("site_organisation")(error)) return new OrganisationNotFound({ organisationId })
          if (portfolioId === null || !violates("site_portfolio")(error)) return error
          return new PortfolioNotFound({ portfolioId })
        })
      )

    const findById = (organisationId: OrganisationId, siteId: SiteId) =>
      Effect.map(sql.findById(organisationId, siteId), (row) =>
        Option.map(Option.fromNullOr(row), toSite(organisationId))
      )

    const list: SiteRepository["Service"]["list"] = (organisationId, { portfolioId, siteId, ...rest }, page) => {
      allConditionsRead(rest)
      const text =
        siteId === undefined
          ? portfolioId === undefined
            ? sql.all(page, organisationId)
            : sql.ofPortfolio(page, organisationId, portfolioId)
          : portfolioId === undefined
            ? sql.one(page, organisationId, siteId)
            : sql.oneOfPortfolio(page, organisationId, siteId, portfolioId)
      return Effect.map(text, (found) => sitePage(organisationId, found, page.limit))
    }

    const update: SiteRepository["Service"]["update"] = Effect.fnUntraced(function* (
      organisationId,
      siteId,
      changes: SiteChanges,
      { at, expectedVersions }
    ) {
      const answer = yield* sql.update(
        organisationId,
        siteId,
        siteRecord(changes),
        toMilliseconds(at),
        versionsParameter(expectedVersions)
      )
      if (answer === null) return yield* new SiteNotFound({ siteIds: [siteId] })
      const { portfolioId } = changes
      if (!answer.portfolioFound && portfolioId) return yield* new PortfolioNotFound({ portfolioId })
      if (!answer.expected) return yield* new VersionMismatch({ actual: answer.version })
      return toSite(organisationId)(answer.site)
    })

    const remove = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      siteId: SiteId,
      expectedVersions?: ExpectedVersions
    ) {
      const answer = yield* sql.delete(organisationId, siteId, versionsParameter(expectedVersions))
      if (answer === null) return yield* new SiteNotFound({ siteIds: [siteId] })
      if (!answer.removed) return yield* new VersionMismatch({ actual: answer.version })
    })

    return SiteRepository.of({ insert, findById, list, update, delete: remove })
  })
)
