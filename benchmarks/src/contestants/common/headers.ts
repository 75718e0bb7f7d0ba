/**
 * Headers of the responses.
 */
import { v7 } from "uuid"
import type { SiteRecord } from "./model.ts"

export const fixedHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" }

/** The request id of the caller, or a new one. */
export const requestIdOf = (header: string | ReadonlyArray<string> | undefined): string =>
  typeof header === "string" && /^[A-Za-z0-9-]{8,64}$/.test(header) ? header : v7()

export const etagOf = ({ version }: Pick<SiteRecord, "version">): string => `"${version}"`

export const locationOf = ({ id }: SiteRecord): string => `/api/sites/${id}`
