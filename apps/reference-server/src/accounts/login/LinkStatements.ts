/** Statements on links of all organisations: the look-up by the digest of a token, and the purge. */
import { mainChange, type PgClient, sql, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, UserId } from "@solar-sites/core"
import { bytes, instant, lookUp, statement } from "../Statement.ts"

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
export const deleteExpiredLinks = (client: PgClient["Service"]) =>
  statement(
    client,
    "LinkStatements.deleteExpired",
    sql`${mainChange} delete from ${table("console_link")} where expires_at <= ${instant("$1")}`,
    { repeatable: true }
  )
