/**
 * What every answer carries beside its body.
 */
import { v7 } from "uuid"
import type { Site } from "./model.ts"

export const fixedHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" }

/** The caller's own id of the request, or a new one. */
export const requestIdOf = (header: string | ReadonlyArray<string> | undefined): string =>
  typeof header === "string" && /^[A-Za-z0-9-]{8,64}$/.test(header) ? header : v7()

export const etagOf = ({ version }: Site): string => `"${version}"`

export const locationOf = ({ id }: Site): string => `/api/sites/${id}`
