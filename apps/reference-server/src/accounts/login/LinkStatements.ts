/** Statements on links of all organisations: the look-up by the digest of a token, and the purge. */
import { mainChange, type PgClient, sql, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, RepositoryError, UserId } from "@solar-sites/core"
import type { Effect } from "effect"
import { bytes, inEach, instant, lookUp, statement } from "../Statement.ts"

/** `userId` is null for an invitation. */
interface LinkOwner {
  readonly organisationId: OrganisationId
  readonly userId: UserId | null
}

export const findLinkOwner = (client: PgClient["Service"]) =>
  lookUp<LinkOwner>(
    client,
    "LinkStatements.find",
    sql`select json_build_object('organisationId', l.organisation_id, 'userId', l.user_id)::text
     from ${table("console_link")} l where l.digest = ${bytes("$1")}`
  )

/** Deletes links that had expired at an instant in milliseconds, invitations included. */
export const deleteExpiredLinks = (client: PgClient["Service"]) => {
  const links = table("console_link")
  const owners = lookUp<ReadonlyArray<OrganisationId>>(
    client,
    "LinkStatements.findExpired",
    sql`select json_agg(distinct organisation_id)::text from ${links} where expires_at <= ${instant("$1")}`
  )
  const remove = statement(
    client,
    "LinkStatements.deleteExpired",
    sql`${mainChange} delete from ${links} where organisation_id = $1::uuid and expires_at <= ${instant("$2")}`,
    { owned: true, repeatable: true }
  )
  return (now: number): Effect.Effect<void, RepositoryError> =>
    inEach(owners(now), (organisationId) => remove(organisationId, now))
}
