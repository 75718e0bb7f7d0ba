/**
 * An API key as a row of the table `api_key`.
 */
import { ApiKey, makeUnchecked } from "@solar-sites/core"
import { fromSeconds } from "../repositories/PgJsonStatement.ts"

export type ApiKeyRow = Omit<Pick<ApiKey, keyof ApiKey>, "createdAt" | "expiresAt" | "lastUsedAt"> & {
  readonly createdAt: number
  readonly expiresAt: number
  readonly lastUsedAt: number | null
}

/** What is stored was checked on its way in, so that it is not checked again. */
export const toApiKey = (row: ApiKeyRow): ApiKey =>
  makeUnchecked(ApiKey, {
    ...row,
    createdAt: fromSeconds(row.createdAt),
    expiresAt: fromSeconds(row.expiresAt),
    lastUsedAt: row.lastUsedAt === null ? null : fromSeconds(row.lastUsedAt)
  })

/** The members of the key in the row `k`. */
export const columns = `k.id, k.organisation_id as "organisationId", k.name, k.prefix, k.created_by as "createdBy",
  date_part('epoch', k.created_at) as "createdAt", date_part('epoch', k.expires_at) as "expiresAt",
  date_part('epoch', k.last_used_at) as "lastUsedAt"`
