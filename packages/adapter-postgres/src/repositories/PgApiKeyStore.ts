/**
 * Keeps API keys in the table `api_key`, by the digests of their secrets.
 */
import { type ApiKeyAccess, ApiKeyStore, apiKeyRecords, type OrganisationId } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { changedTable, mainChange, sql, table } from "../client/PgText.ts"
import { PgClient } from "../PgClient.ts"
import * as PgRecords from "../records/PgRecords.ts"
import { type ApiKeyRow, apiKeyTable, type OrganisationRow, organisationTable } from "../tables/AccessTables.ts"
import { instant, toMilliseconds } from "../tables/SqlValues.ts"
import { finding, readingAcross, writing } from "./PgJsonStatement.ts"

interface AccessRow {
  readonly apiKey: ApiKeyRow
  readonly organisation: OrganisationRow | null
}

const idOf = apiKeyTable.get("id")

const toAccess = ({ apiKey, organisation }: AccessRow): ApiKeyAccess => ({
  apiKey: apiKeyTable.reader({})(apiKey),
  organisation: organisation === null ? null : organisationTable.reader({})(organisation)
})

const statements = (client: PgClient["Service"]) => {
  const ofOrganisation = sql`from ${table("api_key")} k where k.organisation_id = $1::uuid`

  const access = sql`
    json_build_object(
      'apiKey', ${apiKeyTable.row("k")}::json,
      'organisation', (
        select ${organisationTable.row("o")}::json from ${table("organisation")} o where o.id = k.organisation_id
      )
    )`

  return {
    findByDigest: readingAcross<AccessRow>(
      client,
      "ApiKeyStore.findByDigest",
      sql`select ${access}::text from ${table("api_key")} k where k.digest = decode($1::text, 'hex')`
    ),

    findAccess: finding<AccessRow>(
      client,
      "ApiKeyStore.findAccess",
      sql`select json_agg(${access})::text ${ofOrganisation} and k.id = any ($2::text::uuid[])`,
      ({ apiKey }) => idOf(apiKey)
    ),

    findOwner: readingAcross<OrganisationId>(
      client,
      "ApiKeyStore.findOwner",
      sql`select to_json(k.organisation_id)::text from ${table("api_key")} k where k.id = $1::uuid`
    ),

    recordUses: writing(
      client,
      "ApiKeyStore.recordUses",
      sql`with used as materialized (
         select r.id, ${instant("max(r.at)")} as used_at from jsonb_to_recordset($2::text::jsonb) as r (id uuid, at float8)
         group by r.id
       ), locked as materialized (
         select k.id from ${table("api_key")} k
         where k.organisation_id = $1::uuid and k.id in (select id from used)
         order by k.id
         for no key update of k
       )
       ${mainChange} update ${changedTable("api_key")} k set last_used_at = u.used_at
       from locked l join used u on u.id = l.id
       where k.organisation_id = $1::uuid and k.id = l.id
         and (k.last_used_at is null or k.last_used_at < u.used_at)`
    )
  }
}

export const layer: Layer.Layer<ApiKeyStore, never, PgClient> = Layer.effect(
  ApiKeyStore,
  Effect.gen(function* () {
    const sql = statements(yield* PgClient)

    return ApiKeyStore.of({
      ...(yield* apiKeyRecords),

      findByDigest: (digest) =>
        Effect.map(sql.findByDigest(digest), (row) => Option.map(Option.fromNullOr(row), toAccess)),

      findOwner: (apiKeyId) => Effect.map(sql.findOwner(apiKeyId), Option.fromNullOr),

      findAccess: (organisationId, apiKeyId) =>
        Effect.map(sql.findAccess(organisationId, apiKeyId), (row) => Option.map(Option.fromNullOr(row), toAccess)),

      recordUses: (organisationId, uses) => {
        const rows = uses.map(({ apiKeyId, usedAt }) => ({ id: apiKeyId, at: toMilliseconds(usedAt) }))
        return rows.length === 0 ? Effect.void : Effect.asVoid(sql.recordUses(organisationId, JSON.stringify(rows)))
      }
    })
  })
).pipe(Layer.provide(PgRecords.layer))
