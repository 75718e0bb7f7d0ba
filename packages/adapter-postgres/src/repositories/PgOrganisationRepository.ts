/**
 * Keeps organisations in the table `organisation`, for hosts without organisations of their own.
 */
import { OrganisationRepository, type RepositoryError } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { violates } from "../client/PgErrors.ts"
import { PgClient } from "../PgClient.ts"
import { type OrganisationRow, organisationTable } from "../tables/AccessTables.ts"
import { reading, writing } from "./PgJsonStatement.ts"
import { pages } from "./PgPage.ts"

// A reference from another table, such as one of the host, is a failure: this adapter cannot remove it.
const ownReferences = ["site_organisation", "portfolio_organisation", "api_key_organisation"].map(violates)
const isReferred = (error: RepositoryError): boolean => ownReferences.some((violated) => violated(error))

const statements = (client: PgClient["Service"]) => {
  const { schema } = client

  return {
    insert: writing(
      client,
      "OrganisationRepository.insert",
      `insert into ${schema}.organisation (id, name, status) values ($1::uuid, $2::text, $3::text)`
    ),

    findById: reading<OrganisationRow>(
      client,
      "OrganisationRepository.findById",
      `select ${organisationTable.row("o")} from ${schema}.organisation o where o.id = $1::uuid`
    ),

    list: pages(client, {
      operation: "OrganisationRepository.list",
      table: organisationTable,
      id: "o.id",
      parameters: 0,
      select: (rest) => `select o.* from ${schema}.organisation o where true ${rest}`
    }),

    update: writing<OrganisationRow>(
      client,
      "OrganisationRepository.update",
      `with o as (
         update ${schema}.organisation set name = coalesce($2::text, name), status = coalesce($3::text, status)
         where id = $1::uuid
         returning *
       )
       select ${organisationTable.row("o")} from o`
    ),

    delete: writing(client, "OrganisationRepository.delete", `delete from ${schema}.organisation where id = $1::uuid`)
  }
}

export const layer: Layer.Layer<OrganisationRepository, never, PgClient> = Layer.effect(
  OrganisationRepository,
  Effect.map(PgClient, (client) => {
    const sql = statements(client)
    const found = (row: OrganisationRow | null) => Option.map(Option.fromNullOr(row), organisationTable.reader({}))

    return OrganisationRepository.of({
      insert: ({ id, name, status }) => Effect.asVoid(sql.insert(id, name, status)),
      findById: (organisationId) => Effect.map(sql.findById(organisationId), found),
      list: (page) => sql.list(page, {}),
      update: (organisationId, { name = null, status = null }) =>
        Effect.map(sql.update(organisationId, name, status), found),
      delete: (organisationId) =>
        Effect.as(sql.delete(organisationId), true).pipe(Effect.catchIf(isReferred, () => Effect.succeed(false)))
    })
  })
)
