/**
 * Keeps organisations in the table `organisation`, for hosts without any of
 * their own.
 *
 * @since 0.1.0
 */
import { makeUnchecked, Organisation, OrganisationRepository, type RepositoryError } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { violates } from "../client/PgErrors.ts"
import { PgClient } from "../PgClient.ts"
import { pageOf, pages } from "../tables/PgPage.ts"
import { reading, writing } from "./PgJsonStatement.ts"

/** An organisation as it comes out of JSON. */
export type OrganisationRow = Pick<Organisation, keyof Organisation>

/** What is stored was checked on its way in, so that it is not checked again. */
export const toOrganisation = (row: OrganisationRow): Organisation => makeUnchecked(Organisation, row)

// Something of another table, such as a host's, is a failure: nothing here removes it.
const references = ["site_organisation", "portfolio_organisation", "api_key_organisation"].map(violates)
const isReferred = (error: RepositoryError): boolean => references.some((violated) => violated(error))

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  const columns = "o.id, o.name, o.status"

  return {
    insert: writing(
      client,
      "OrganisationRepository.insert",
      `insert into ${schema}.organisation (id, name, status) values ($1::uuid, $2::text, $3::text)`
    ),

    findById: reading<OrganisationRow>(
      client,
      "OrganisationRepository.findById",
      `select to_json(x)::text from (select ${columns} from ${schema}.organisation o where o.id = $1::uuid) x`
    ),

    list: pages<OrganisationRow>(
      client,
      "OrganisationRepository.list",
      "o.id",
      0,
      (rest) => `select ${columns} from ${schema}.organisation o where true ${rest}`
    ),

    update: writing<OrganisationRow>(
      client,
      "OrganisationRepository.update",
      `with o as (
         update ${schema}.organisation set name = coalesce($2::text, name), status = coalesce($3::text, status)
         where id = $1::uuid
         returning *
       )
       select to_json(x)::text from (select ${columns} from o) x`
    ),

    delete: writing(client, "OrganisationRepository.delete", `delete from ${schema}.organisation where id = $1::uuid`)
  }
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<OrganisationRepository, never, PgClient> = Layer.effect(
  OrganisationRepository,
  Effect.map(PgClient, (client) => {
    const sql = statements(client)
    const found = (row: OrganisationRow | null) => Option.map(Option.fromNullOr(row), toOrganisation)

    return OrganisationRepository.of({
      insert: ({ id, name, status }) => Effect.asVoid(sql.insert(id, name, status)),
      findById: (organisationId) => Effect.map(sql.findById(organisationId), found),
      list: (page) => Effect.map(sql.list(page), (rows) => pageOf(rows, page.limit, toOrganisation)),
      update: (organisationId, { name = null, status = null }) =>
        Effect.map(sql.update(organisationId, name, status), found),
      delete: (organisationId) =>
        Effect.as(sql.delete(organisationId), true).pipe(Effect.catchIf(isReferred, () => Effect.succeed(false)))
    })
  })
)
