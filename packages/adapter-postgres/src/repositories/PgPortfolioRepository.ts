/**
 * Keeps portfolios in the table `portfolio`.
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
import { type PortfolioRow, portfolioEvent, portfolioTable, withTotals } from "../tables/PortfolioTable.ts"
import {
  instant,
  isExpected,
  isInserted,
  keepExisting,
  toMilliseconds,
  versionsParameter
} from "../tables/SqlValues.ts"
import { originFrom, originParameters, writeEvents, writtenTypes } from "./PgEventLog.ts"
import { inInputOrder, reading, writing } from "./PgJsonStatement.ts"
import { pages } from "./PgPage.ts"
import { makeMembership } from "./PgPortfolioMembership.ts"
import { makeListWithSites } from "./PgPortfolioSlices.ts"

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  const ofOrganisation = `${withTotals(schema, `${schema}.portfolio`)} where p.organisation_id = $1::uuid`

  return {
    insertMany: writing<ReadonlyArray<PortfolioRow>>(
      client,
      "PortfolioRepository.insertMany",
      `with stored as (
         insert into ${schema}.portfolio as p (organisation_id, ${portfolioTable.inserted.join(", ")})
         select $1::uuid, ${portfolioTable.insertedValues("r").join(", ")}
         from jsonb_to_recordset($2::text::jsonb) as r (${portfolioTable.inputTypes})
         order by r.id
         ${keepExisting("p")}
         returning p.*, ${isInserted("p")} as inserted
       ), ${writeEvents(schema, {
         type: "portfolio.created",
         from: `stored p cross join ${originFrom("$3", "o")} where p.inserted`,
         origin: "o",
         number: "row_number() over (order by p.id)",
         ...portfolioEvent(null, "p")
       })}
       select ${portfolioTable.rows("x")}, ${writtenTypes} from (${withTotals(schema, "stored")}) x`
    ),

    findById: reading<PortfolioRow>(
      client,
      "PortfolioRepository.findById",
      `select ${portfolioTable.row("x")} from (${ofOrganisation} and p.id = $2::uuid) x`
    ),

    list: pages(client, {
      operation: "PortfolioRepository.list",
      table: portfolioTable,
      id: "p.id",
      parameters: 1,
      select: (rest) => `${ofOrganisation} ${rest}`
    }),

    update: writing<{ expected: boolean; version: number; portfolio: PortfolioRow }>(
      client,
      "PortfolioRepository.update",
      `with locked_portfolio as materialized (
         select p as before, p.id, p.name, p.version, ${isExpected("p.version", "$5")} as expected
         from ${schema}.portfolio p
         where p.organisation_id = $1::uuid and p.id = $2::uuid
         for no key update
       ), changed as (
         update ${schema}.portfolio p
         set name = $3::text, updated_at = ${instant("$4")}, version = p.version + 1
         from locked_portfolio l
         where p.organisation_id = $1::uuid and p.id = l.id and l.expected and l.name is distinct from $3::text
           and $3::text is not null
         returning p.*
       ), ${writeEvents(schema, {
         type: "portfolio.updated",
         from: `changed p cross join locked_portfolio l cross join ${originFrom("$6", "o")}`,
         origin: "o",
         ...portfolioEvent("(l.before)", "p")
       })}, latest as (
         select * from changed
         union all
         select (l.before).* from locked_portfolio l where not exists (select from changed)
       )
       select json_build_object(
         'expected', l.expected, 'version', l.version,
         'portfolio', (select ${portfolioTable.row("x")}::json from (${withTotals(schema, "latest")}) x)
       )::text, ${writtenTypes}
       from locked_portfolio l`
    )
  }
}

export const layer: Layer.Layer<PortfolioRepository, never, PgClient> = Layer.effect(
  PortfolioRepository,
  Effect.gen(function* () {
    const client = yield* PgClient
    const sql = statements(client)
    const originOf = yield* originParameters

    const insertMany = (organisationId: OrganisationId, portfolios: ReadonlyArray<Portfolio>) =>
      Effect.flatMap(originOf(organisationId), (origin) =>
        sql.insertMany(organisationId, `[${portfolios.map(portfolioTable.input).join(",")}]`, origin)
      ).pipe(
        Effect.map((rows) => inInputOrder(portfolios, (rows ?? []).map(portfolioTable.reader({ organisationId })))),
        Effect.mapError((error) =>
          violates("portfolio_organisation")(error) ? new OrganisationNotFound({ organisationId }) : error
        )
      )

    const findById = (organisationId: OrganisationId, portfolioId: PortfolioId) =>
      Effect.map(sql.findById(organisationId, portfolioId), (row) =>
        Option.map(Option.fromNullOr(row), portfolioTable.reader({ organisationId }))
      )

    const update: PortfolioRepository["Service"]["update"] = Effect.fnUntraced(function* (
      organisationId,
      portfolioId,
      { name = null }: { readonly name?: string | null },
      { at, expectedVersions }
    ) {
      const versions = versionsParameter(expectedVersions)
      const origin = yield* originOf(organisationId)
      const answer = yield* sql.update(organisationId, portfolioId, name, toMilliseconds(at), versions, origin)
      if (answer === null) return yield* new PortfolioNotFound({ portfolioId })
      if (!answer.expected) return yield* new VersionMismatch({ actual: answer.version })
      return portfolioTable.reader({ organisationId })(answer.portfolio)
    })

    return PortfolioRepository.of({
      insertMany,
      findById,
      list: (organisationId, page) => sql.list(page, { organisationId }, organisationId),
      listWithSites: makeListWithSites(client),
      update,
      ...makeMembership(client, originOf)
    })
  })
)
