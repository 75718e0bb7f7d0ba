/**
 * Keeps organisations in the table `organisation`, for hosts without organisations of their own.
 */
import { OrganisationRepository, type RepositoryError } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { violates } from "../client/PgErrors.ts"
import { reading, writing } from "../client/PgJsonStatement.ts"
import { changedTable, mainChange, mainQuery, sql, table } from "../client/PgText.ts"
import { PgClient } from "../PgClient.ts"
import { originFrom, originParameter, writeEvents, writtenTypes } from "../records/PgEventLog.ts"
import { type OrganisationRow, organisationEvent, organisationTable } from "../tables/AccessTables.ts"
import { pages } from "./PgPages.ts"

// A reference from another table, such as one of the host, is a failure: this adapter cannot remove it.
const ownReferences = [
  "site_organisation",
  "portfolio_organisation",
  "api_key_organisation",
  "webhook_organisation"
].map(violates)
const isReferred = (error: RepositoryError): boolean => ownReferences.some((violated) => violated(error))

const statements = (client: PgClient["Service"]) => {
  return {
    insert: writing(
      client,
      "OrganisationRepository.insert",
      sql`${mainChange} insert into ${changedTable("organisation")} (id, name, status) values ($1::uuid, $2::text, $3::text)`
    ),

    findById: reading<OrganisationRow>(
      client,
      "OrganisationRepository.findById",
      sql`select ${organisationTable.row("o")} from ${table("organisation")} o where o.id = $1::uuid`
    ),

    list: pages(client, {
      operation: "OrganisationRepository.list",
      table: organisationTable,
      from: sql`${table("organisation")} x`,
      isOwned: false
    }),

    update: writing<OrganisationRow>(
      client,
      "OrganisationRepository.update",
      sql`with locked as materialized (
         select o as before, o.id, coalesce($2::text, o.name) as name, coalesce($3::text, o.status) as status
         from ${table("organisation")} o
         where o.id = $1::uuid
         for no key update
       ), changed as (
         update ${changedTable("organisation")} o set name = l.name, status = l.status
         from locked l
         where o.id = l.id and (l.name, l.status) is distinct from ((l.before).name, (l.before).status)
         returning o.*
       ), ${writeEvents({
         type: "organisation.updated",
         from: `changed c cross join locked l cross join ${originFrom("$4", "o")}`,
         origin: "o",
         ...organisationEvent("(l.before)", "c")
       })}
       ${mainQuery} select ${organisationTable.row("x")}, ${writtenTypes} from (
         select * from changed
         union all
         select (l.before).* from locked l where not exists (select from changed)
       ) x`
    ),

    delete: writing(
      client,
      "OrganisationRepository.delete",
      sql`${mainChange} delete from ${changedTable("organisation")} where id = $1::uuid`
    )
  }
}

export const layer: Layer.Layer<OrganisationRepository, never, PgClient> = Layer.effect(
  OrganisationRepository,
  Effect.gen(function* () {
    const sql = statements(yield* PgClient)
    const found = (row: OrganisationRow | null) => Option.map(Option.fromNullOr(row), organisationTable.reader({}))

    return OrganisationRepository.of({
      insert: ({ id, name, status }) => Effect.asVoid(sql.insert(id, name, status)),
      findById: (organisationId) => Effect.map(sql.findById(organisationId), found),
      list: (page) => sql.list({ organisationId: "", page }, {}),
      update: (organisationId, { name = null, status = null }, origin) =>
        Effect.map(sql.update(organisationId, name, status, originParameter(origin)), found),
      delete: (organisationId) =>
        Effect.as(sql.delete(organisationId), true).pipe(Effect.catchIf(isReferred, () => Effect.succeed(false)))
    })
  })
)
