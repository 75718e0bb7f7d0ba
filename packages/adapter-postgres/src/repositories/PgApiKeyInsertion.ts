/**
 * Inserts API keys, new ones and replacements, up to the maximum of live keys.
 */
import {
  type ApiKey,
  type ApiKeyId,
  ApiKeyNotFound,
  type ApiKeySecret,
  type ApiKeyStore,
  maximumLiveApiKeys,
  type OrganisationId,
  OrganisationNotFound,
  TooManyApiKeys
} from "@solar-sites/core"
import { Effect } from "effect"
import type { PgClient } from "../PgClient.ts"
import { type ApiKeyRow, apiKeyEvent, apiKeyTable, scopesParameter } from "../tables/AccessTables.ts"
import { instant, toMilliseconds } from "../tables/SqlValues.ts"
import { originFrom, writeEvents, writtenTypes } from "./PgEventLog.ts"
import { type JsonStatement, writing } from "./PgJsonStatement.ts"

const { scopes } = apiKeyTable.columns
const insertable = "organisation_id, id, digest, name, prefix, created_by, created_at, last_used_at, scopes, expires_at"
const inserted = `$1::uuid, $2::uuid, decode($3::text, 'hex'), $4::text, $5::text, $6::text,
  ${instant("$7")}, ${instant("$8")}, ${scopes.fromInput("$9")}`

/**
 * Begins a statement that inserts a key. `counted` is the organisation and whether it has room;
 * `isCounted` restricts the live keys `k` that count. `won` has a row when there is room and no
 * concurrent insert came first.
 */
const winning = (schema: string, isCounted = "") => `
  counted as materialized (
    select o.id, o.api_key_inserts, (
      select count(*) from ${schema}.api_key k
      where k.organisation_id = o.id and k.expires_at > ${instant("$7")} ${isCounted}
    ) < ${maximumLiveApiKeys} as has_room
    from ${schema}.organisation o where o.id = $1::uuid
  ), won as (
    update ${schema}.organisation o set api_key_inserts = o.api_key_inserts + 1
    from counted c
    where o.id = c.id and o.api_key_inserts = c.api_key_inserts and c.has_room
    returning o.id
  )`

/** Result of an insert. With room and nothing stored, a concurrent insert came first. */
interface Inserted {
  /** The organisation exists, or the key to be replaced. */
  readonly found: boolean
  readonly hasRoom: boolean | null
  readonly stored: ApiKeyRow | null
}

/** Repeats the statement while concurrent inserts come first. Each of them succeeded. */
const untilDecided = <E>(statement: Effect.Effect<Inserted | null, E>): Effect.Effect<Inserted, E> =>
  Effect.flatMap(statement, (answer) =>
    answer === null || (answer.found && answer.hasRoom === true && answer.stored === null)
      ? untilDecided(statement)
      : Effect.succeed(answer)
  )

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  return {
    insert: writing<Inserted>(
      client,
      "ApiKeyStore.insert",
      `with ${winning(schema)}, k as (
         insert into ${schema}.api_key (${insertable}) select ${inserted}, ${instant("$10")} from won
         returning *
       ), ${writeEvents(schema, {
         type: "api_key.created",
         from: `k cross join ${originFrom("$11", "o")}`,
         origin: "o",
         ...apiKeyEvent(null, "k")
       })}
       select json_build_object(
         'found', exists (select from counted),
         'hasRoom', (select has_room from counted),
         'stored', (select ${apiKeyTable.row("k")}::json from k)
       )::text, ${writtenTypes}`
    ),

    rotate: writing<Inserted>(
      client,
      "ApiKeyStore.rotate",
      // The old key does not count when it ends at once.
      `with ${winning(schema, `and not (k.id = $11::uuid and ${instant("$10")} <= ${instant("$7")})`)}, locked_key as materialized (
         select k as before, k.id from ${schema}.api_key k cross join won
         where k.organisation_id = $1::uuid and k.id = $11::uuid
         for no key update of k
       ), ending as (
         update ${schema}.api_key k
         set expires_at = least(k.expires_at, ${instant("$10")}), issued_until = coalesce(k.issued_until, k.expires_at)
         from locked_key l
         where k.organisation_id = $1::uuid and k.id = l.id
         returning k.*, l.before, k.issued_until - k.created_at as life
       ), k as (
         insert into ${schema}.api_key (${insertable})
         select ${inserted}, to_timestamp($7::float8 / 1000 + date_part('epoch', life)) from ending
         returning *
       ), ${writeEvents(schema, {
         type: "api_key.rotated",
         from: `k cross join ending e cross join ${originFrom("$12", "o")}`,
         origin: "o",
         ...apiKeyEvent("(e.before)", "e", "k.id")
       })}
       select json_build_object(
         'found', exists (select from ${schema}.api_key k where k.organisation_id = $1::uuid and k.id = $11::uuid),
         'hasRoom', (select has_room from counted),
         'stored', (select ${apiKeyTable.row("k")}::json from k)
       )::text, ${writtenTypes}`
    )
  }
}

const parametersOf = (
  organisationId: OrganisationId,
  apiKey: Omit<ApiKey, "expiresAt">,
  digest: ApiKeySecret.ApiKeyDigest
): Parameters<JsonStatement<never>> => [
  organisationId,
  apiKey.id,
  digest,
  apiKey.name,
  apiKey.prefix,
  apiKey.createdBy,
  toMilliseconds(apiKey.createdAt),
  apiKey.lastUsedAt === null ? null : toMilliseconds(apiKey.lastUsedAt),
  scopesParameter(apiKey.scopes)
]

const tooMany = () => new TooManyApiKeys({ maximum: maximumLiveApiKeys })

export const insertions = (
  client: PgClient["Service"],
  originOf: (organisationId: OrganisationId) => Effect.Effect<string>
): Pick<ApiKeyStore["Service"], "insert" | "rotate"> => {
  const sql = statements(client)

  return {
    insert: Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      apiKey: ApiKey,
      digest: ApiKeySecret.ApiKeyDigest
    ) {
      const parameters = parametersOf(organisationId, apiKey, digest)
      const statement = sql.insert(...parameters, toMilliseconds(apiKey.expiresAt), yield* originOf(organisationId))
      const { found, stored } = yield* untilDecided(statement)
      if (!found) return yield* new OrganisationNotFound({ organisationId })
      if (stored === null) return yield* tooMany()
    }),

    rotate: Effect.fnUntraced(function* (organisationId, apiKeyId: ApiKeyId, { digest, expiresAt, replacement }) {
      const parameters = parametersOf(organisationId, replacement, digest)
      const ends = toMilliseconds(expiresAt)
      const statement = sql.rotate(...parameters, ends, apiKeyId, yield* originOf(organisationId))
      const { found, stored } = yield* untilDecided(statement)
      if (!found) return yield* new ApiKeyNotFound({ apiKeyId })
      return stored === null ? yield* tooMany() : apiKeyTable.reader({})(stored)
    })
  }
}
