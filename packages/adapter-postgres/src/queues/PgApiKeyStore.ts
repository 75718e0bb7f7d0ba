/**
 * Keeps API keys in the table `api_key`, by the digests of their secrets.
 */
import { type ApiKeyAccess, type ApiKeyId, ApiKeyStore } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { answerOf, readingAcross, writing } from "../client/PgJsonStatement.ts"
import { changedTable, mainChange, sql, table } from "../client/PgText.ts"
import { PgClient } from "../PgClient.ts"
import { type ApiKeyRow, apiKeyTable, type OrganisationRow, organisationTable } from "../tables/AccessTables.ts"
import { instant, toMilliseconds, uuidsIn } from "../tables/SqlValues.ts"

interface AccessRow {
  readonly apiKey: ApiKeyRow
  readonly organisation: OrganisationRow | null
}

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

  const acrossOrganisations = (condition: string) =>
    readingAcross<AccessRow>(
      client,
      "ApiKeyStore.findAcrossOrganisations",
      sql`select ${access}::text from ${table("api_key")} k where ${condition}`
    )

  return {
    findByDigest: acrossOrganisations("k.digest = decode($1::text, 'hex')"),
    findById: acrossOrganisations("k.id = $1::uuid"),

    // Ids of one organisation share a statement.
    findAccess: client.batch({
      operation: "ApiKeyStore.findAccess",
      text: sql`select json_agg(${access})::text ${ofOrganisation} and k.id = any (${uuidsIn("$2::text")})`,
      readOnly: true,
      parameters: (ids: ReadonlyArray<ApiKeyId>) => [`{${ids.join(",")}}`],
      decode: (rows) => {
        const found = answerOf<ReadonlyArray<AccessRow>>(rows) ?? []
        return new Map<string, ApiKeyAccess>(found.map(toAccess).map((access) => [access.apiKey.id, access]))
      }
    }),

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

const toFound = (row: AccessRow | null) => Option.map(Option.fromNullOr(row), toAccess)

export const layer: Layer.Layer<ApiKeyStore, never, PgClient> = Layer.effect(
  ApiKeyStore,
  Effect.map(PgClient, (client) => {
    const sql = statements(client)

    return ApiKeyStore.of({
      findAcrossOrganisations: (key) =>
        Effect.map("digest" in key ? sql.findByDigest(key.digest) : sql.findById(key.apiKeyId), toFound),

      findAccess: (organisationId, apiKeyId) =>
        Effect.map(sql.findAccess(organisationId, "", apiKeyId), (found) =>
          Option.fromNullishOr(found.get(apiKeyId.toLowerCase()))
        ),

      recordUses: (organisationId, uses) => {
        const rows = uses.map(({ apiKeyId, usedAt }) => ({ id: apiKeyId, at: toMilliseconds(usedAt) }))
        return rows.length === 0 ? Effect.void : Effect.asVoid(sql.recordUses(organisationId, JSON.stringify(rows)))
      }
    })
  })
)
