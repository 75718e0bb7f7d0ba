/** SQL of values in statements on the server's own tables, and changes of several organisations. */
import type { OrganisationId, RepositoryError } from "@solar-sites/core"
import { Effect } from "effect"

/** SQL of bytes given as hexadecimal digits, such as the digest of a token. */
export const bytes = (parameter: string): string => `decode(${parameter}::text, 'hex')`

/** SQL of an instant given in milliseconds. */
export const instant = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`

/** SQL of an instant as milliseconds. */
export const milliseconds = (column: string): string => `round(date_part('epoch', ${column}) * 1000)`

/** Changes rows of all organisations, each in a statement of its own: none writes rows of several. */
export const inEach = (
  organisations: Effect.Effect<ReadonlyArray<OrganisationId> | null, RepositoryError>,
  change: (organisationId: OrganisationId) => Effect.Effect<unknown, RepositoryError>
): Effect.Effect<void, RepositoryError> =>
  Effect.flatMap(organisations, (found) => Effect.forEach(found ?? [], change, { discard: true }))
