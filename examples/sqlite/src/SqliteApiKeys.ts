/**
 * `ApiKeyStore` on SQLite.
 */
import {
  ApiKeyRecord,
  ApiKeyStore,
  apiKeyKind,
  apiKeyOf,
  makeUnchecked,
  type OrganisationId,
  organisationKind
} from "@solar-sites/core"
import { DateTime, Effect, Layer, Option } from "effect"
import { recordTable } from "./RecordTable.ts"
import { memberSql } from "./Schema.ts"
import { SqliteDatabase, type Statements } from "./SqliteDatabase.ts"

const findAccess = (statements: Statements, organisationId: OrganisationId, apiKeyId: string) => {
  const { records } = recordTable(statements, organisationId)
  const [key] = records(apiKeyKind, "id = ?", [apiKeyId])
  const [organisation] = records(organisationKind)
  const isFound = key !== undefined && organisation !== undefined
  return isFound ? Option.some({ apiKey: apiKeyOf(key), organisation }) : Option.none()
}

/** The key with this value, in any organisation. */
const findOwner = ({ first }: Statements, member: "id" | "digest", value: string) => {
  const row = first(`select organisation_id, id from record where kind = 'api_key' and ${memberSql(member)} = ?`, value)
  // The column has ids of organisations.
  return row && { organisationId: row["organisation_id"] as OrganisationId, id: String(row["id"]) }
}

export const layer: Layer.Layer<ApiKeyStore, never, SqliteDatabase> = Layer.effect(
  ApiKeyStore,
  Effect.gen(function* () {
    const { step } = yield* SqliteDatabase

    return ApiKeyStore.of({
      findAcrossOrganisations: (key) =>
        step("ApiKeyStore.findAcrossOrganisations", (statements) => {
          const row =
            "digest" in key ? findOwner(statements, "digest", key.digest) : findOwner(statements, "id", key.apiKeyId)
          return row === undefined ? Option.none() : findAccess(statements, row.organisationId, row.id)
        }),

      findAccess: (organisationId, apiKeyId) =>
        step("ApiKeyStore.findAccess", (statements) => findAccess(statements, organisationId, apiKeyId)),

      recordUses: (organisationId, uses) =>
        step("ApiKeyStore.recordUses", (statements) => {
          const table = recordTable(statements, organisationId)
          const revision = table.nextRevision()
          for (const { apiKeyId, usedAt } of uses) {
            const [stored] = table.records(apiKeyKind, "id = ?", [apiKeyId])
            if (stored === undefined) continue
            const lastUsedAt = DateTime.max(stored.lastUsedAt ?? usedAt, usedAt)
            table.remove(apiKeyKind, apiKeyId)
            table.insert(apiKeyKind, makeUnchecked(ApiKeyRecord, { ...stored, lastUsedAt }), revision)
          }
        })
    })
  })
)
