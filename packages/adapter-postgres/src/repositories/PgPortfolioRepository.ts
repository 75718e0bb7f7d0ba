/**
 * Keeps portfolios in the table `portfolio`.
 */
import {
  ExternalIdTaken,
  type OrganisationId,
  OrganisationNotFound,
  type Portfolio,
  type PortfolioChanges,
  type PortfolioId,
  PortfolioNotFound,
  PortfolioRepository,
  VersionMismatch
} from "@solar-sites/core"
import { Array as Arr, Effect, Layer, Option } from "effect"
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
import { inInputOrder, reading, retriedOn, writing } from "./PgJsonStatement.ts"
import { makePortfolioList } from "./PgPortfolioListing.ts"
import { makeMembership } from "./PgPortfolioMembership.ts"
import { makeListWithSites } from "./PgPortfolioSlices.ts"

type Taken = ExternalIdTaken["conflicts"][number]

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  const ofOrganisation = `${withTotals(schema, `${schema}.portfolio`)} where p.organisation_id = $1::uuid`
  /** SQL of the id of another portfolio with the external id; null when there is none. */
  const takenBy = (externalId: string, id: string) => `(
    select p.id from ${schema}.portfolio p
    where p.organisation_id = $1::uuid and p.external_id = ${externalId} and p.id <> ${id}
  )`

  return {
    insertMany: writing<{ taken: ReadonlyArray<Taken> | null; stored: ReadonlyArray<PortfolioRow> | null }>(
      client,
      "PortfolioRepository.insertMany",
      `with input as materialized (
         select r.*, ${takenBy("r.external_id", "r.id")} as taken_by
         from jsonb_to_recordset($2::text::jsonb) as r (${portfolioTable.inputTypes})
       ), refused as materialized (
         select i.external_id, i.taken_by from input i
         where i.taken_by is not null and not exists (
           select from ${schema}.portfolio p where p.organisation_id = $1::uuid and p.id = i.id
         )
       ), stored as (
         insert into ${schema}.portfolio as p (organisation_id, ${portfolioTable.inserted.join(", ")})
         select $1::uuid, ${portfolioTable.insertedValues("r").join(", ")}
         from input r where not exists (select from refused)
         order by r.external_id, r.id
         ${keepExisting("p")}
         returning p.*, ${isInserted("p")} as inserted
       ), ${writeEvents(schema, {
         type: "portfolio.created",
         from: `stored p cross join ${originFrom("$3", "o")} where p.inserted`,
         origin: "o",
         number: "row_number() over (order by p.id)",
         ...portfolioEvent(null, "p")
       })}
       select json_build_object(
         'taken', (select json_agg(json_build_object('externalId', x.external_id, 'takenBy', x.taken_by)) from refused x),
         'stored', (select ${portfolioTable.rows("x")}::json from (${withTotals(schema, "stored")}) x)
       )::text, ${writtenTypes}`
    ),

    findById: reading<PortfolioRow>(
      client,
      "PortfolioRepository.findById",
      `select ${portfolioTable.row("x")} from (${ofOrganisation} and p.id = $2::uuid) x`
    ),

    update: writing<{ expected: boolean; takenBy: string | null; version: number; portfolio: PortfolioRow }>(
      client,
      "PortfolioRepository.update",
      `with locked_portfolio as materialized (
         select p as before, p.id, p.version, ${isExpected("p.version", "$5")} as expected
         from ${schema}.portfolio p
         where p.organisation_id = $1::uuid and p.id = $2::uuid
         for no key update
       ), checked as materialized (
         select l.*, ${takenBy("($3::text::jsonb ->> 'external_id')", "l.id")} as taken_by from locked_portfolio l
       ), changed as (
         update ${schema}.portfolio p
         set updated_at = ${instant("$4")}, version = p.version + 1, name = n.name, external_id = n.external_id
         from checked c cross join lateral jsonb_populate_record(c.before, $3::text::jsonb) n
         where p.organisation_id = $1::uuid and p.id = c.id and c.expected and c.taken_by is null
           and (n.name, n.external_id) is distinct from ((c.before).name, (c.before).external_id)
         returning p.*
       ), ${writeEvents(schema, {
         type: "portfolio.updated",
         from: `changed p cross join checked c cross join ${originFrom("$6", "o")}`,
         origin: "o",
         ...portfolioEvent("(c.before)", "p")
       })}, latest as (
         select * from changed
         union all
         select (c.before).* from checked c where not exists (select from changed)
       )
       select json_build_object(
         'expected', c.expected, 'takenBy', c.taken_by, 'version', c.version,
         'portfolio', (select ${portfolioTable.row("x")}::json from (${withTotals(schema, "latest")}) x)
       )::text, ${writtenTypes}
       from checked c`
    )
  }
}

export const layer: Layer.Layer<PortfolioRepository, never, PgClient> = Layer.effect(
  PortfolioRepository,
  Effect.gen(function* () {
    const client = yield* PgClient
    const sql = statements(client)
    const originOf = yield* originParameters

    const insertMany = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      portfolios: ReadonlyArray<Portfolio>
    ) {
      const input = `[${portfolios.map(portfolioTable.input).join(",")}]`
      const answer = yield* sql.insertMany(organisationId, input, yield* originOf(organisationId)).pipe(
        retriedOn("portfolio_external_id"),
        Effect.mapError((error) =>
          violates("portfolio_organisation")(error) ? new OrganisationNotFound({ organisationId }) : error
        )
      )
      const taken = new Map(answer?.taken?.map((conflict) => [conflict.externalId, conflict]))
      const conflicts = portfolios.flatMap(({ externalId }) => taken.get(externalId ?? "") ?? [])
      if (Arr.isArrayNonEmpty(conflicts)) return yield* new ExternalIdTaken({ conflicts })
      return inInputOrder(portfolios, (answer?.stored ?? []).map(portfolioTable.reader({ organisationId })))
    })

    const findById = (organisationId: OrganisationId, portfolioId: PortfolioId) =>
      Effect.map(sql.findById(organisationId, portfolioId), (row) =>
        Option.map(Option.fromNullOr(row), portfolioTable.reader({ organisationId }))
      )

    const update: PortfolioRepository["Service"]["update"] = Effect.fnUntraced(function* (
      organisationId,
      portfolioId,
      changes: PortfolioChanges,
      { at, expectedVersions }
    ) {
      const versions = versionsParameter(expectedVersions)
      const origin = yield* originOf(organisationId)
      const input = portfolioTable.input(changes)
      const answer = yield* retriedOn("portfolio_external_id")(
        sql.update(organisationId, portfolioId, input, toMilliseconds(at), versions, origin)
      )
      if (answer === null) return yield* new PortfolioNotFound({ portfolioId })
      if (!answer.expected) return yield* new VersionMismatch({ actual: answer.version })
      const { takenBy } = answer
      if (takenBy !== null) {
        return yield* new ExternalIdTaken({ conflicts: [{ externalId: changes.externalId ?? "", takenBy }] })
      }
      return portfolioTable.reader({ organisationId })(answer.portfolio)
    })

    return PortfolioRepository.of({
      insertMany,
      findById,
      list: makePortfolioList(client),
      listWithSites: makeListWithSites(client),
      update,
      ...makeMembership(client, originOf)
    })
  })
)
