/**
 * Keeps portfolios in the table `portfolio`.
 *
 * @since 0.1.0
 */
import {
  type OrganisationId,
  OrganisationNotFound,
  type Portfolio,
  type PortfolioId,
  PortfolioNotFound,
  PortfolioRepository,
  VersionMismatch
} from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { violates } from "../client/PgErrors.ts"
import { PgClient } from "../PgClient.ts"
import { pageOf, pages } from "../tables/PgPage.ts"
import { type PortfolioRow, selectPortfolios, toPortfolio } from "../tables/PortfolioRow.ts"
import { inOrderOf, orAsItIs, reading, toMilliseconds, versionsParameter, writing } from "./PgJsonStatement.ts"
import { makeMembership } from "./PgPortfolioMembership.ts"
import { makeListWithSites } from "./PgPortfolioSlices.ts"

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  const ofOrganisation = `${selectPortfolios(schema, `${schema}.portfolio`)} where p.organisation_id = $1::uuid`

  return {
    insertMany: writing<ReadonlyArray<PortfolioRow>>(
      client,
      "PortfolioRepository.insertMany",
      `with stored as (
         insert into ${schema}.portfolio as p (organisation_id, id, name, created_at, updated_at, version)
         select $1::uuid, r.id, r.name, to_timestamp(r.created / 1000), to_timestamp(r.updated / 1000), r.version
         from jsonb_to_recordset($2::text::jsonb)
           as r (id uuid, name text, created float8, updated float8, version integer)
         order by r.id
         ${orAsItIs("p")}
         returning p.*
       )
       select json_agg(x)::text from (${selectPortfolios(schema, "stored")}) x`
    ),

    findById: reading<PortfolioRow>(
      client,
      "PortfolioRepository.findById",
      `select to_json(x)::text from (${ofOrganisation} and p.id = $2::uuid) x`
    ),

    list: pages<PortfolioRow>(client, "PortfolioRepository.list", "p.id", 1, (rest) => `${ofOrganisation} ${rest}`),

    update: writing<{ expected: boolean; portfolio: PortfolioRow }>(
      client,
      "PortfolioRepository.update",
      `with target as materialized (
         select p.*, $5::text is null or p.version = any ($5::text::int[]) as expected
         from ${schema}.portfolio p
         where p.organisation_id = $1::uuid and p.id = $2::uuid
         for no key update
       ), changed as (
         update ${schema}.portfolio p
         set name = $3::text, updated_at = to_timestamp($4::float8 / 1000), version = p.version + 1
         from target t
         where p.organisation_id = $1::uuid and p.id = t.id and t.expected and t.name is distinct from $3::text
           and $3::text is not null
         returning p.*
       ), latest as (
         select organisation_id, id, name, created_at, updated_at, version from changed
         union all
         select organisation_id, id, name, created_at, updated_at, version from target
         where not exists (select from changed)
       )
       select json_build_object(
         'expected', t.expected,
         'portfolio', (select to_json(x) from (${selectPortfolios(schema, "latest")}) x)
       )::text
       from target t`
    )
  }
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<PortfolioRepository, never, PgClient> = Layer.effect(
  PortfolioRepository,
  Effect.map(PgClient, (client) => {
    const sql = statements(client)

    const insertMany = (organisationId: OrganisationId, portfolios: ReadonlyArray<Portfolio>) => {
      const rows = portfolios.map(({ createdAt, id, name, updatedAt, version }) => ({
        id,
        name,
        created: toMilliseconds(createdAt),
        updated: toMilliseconds(updatedAt),
        version
      }))
      return sql.insertMany(organisationId, JSON.stringify(rows)).pipe(
        Effect.map((found) => inOrderOf(portfolios, found ?? [], toPortfolio)),
        Effect.mapError((error) =>
          violates("portfolio_organisation")(error) ? new OrganisationNotFound({ organisationId }) : error
        )
      )
    }

    const findById = (organisationId: OrganisationId, portfolioId: PortfolioId) =>
      Effect.map(sql.findById(organisationId, portfolioId), (row) => Option.map(Option.fromNullOr(row), toPortfolio))

    const list: PortfolioRepository["Service"]["list"] = (organisationId, page) =>
      Effect.map(sql.list(page, organisationId), (rows) => pageOf(rows, page.limit, toPortfolio))

    const update: PortfolioRepository["Service"]["update"] = Effect.fnUntraced(function* (
      organisationId,
      portfolioId,
      { name = null }: { readonly name?: string | null },
      { at, expectedVersions }
    ) {
      const versions = versionsParameter(expectedVersions)
      const answer = yield* sql.update(organisationId, portfolioId, name, toMilliseconds(at), versions)
      if (answer === null) return yield* new PortfolioNotFound({ portfolioId })
      if (!answer.expected) return yield* new VersionMismatch({ actual: answer.portfolio.version })
      return toPortfolio(answer.portfolio)
    })

    return PortfolioRepository.of({
      insertMany,
      findById,
      list,
      listWithSites: makeListWithSites(client),
      update,
      ...makeMembership(client)
    })
  })
)
