/** The look-up of a link by the digest of its token, in all organisations. */
import { type PgClient, sql, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, UserId } from "@solar-sites/core"
import { bytes, lookUp } from "../Statement.ts"

/** `userId` is null for an invitation. */
export interface LinkOwner {
  readonly organisationId: OrganisationId
  readonly userId: UserId | null
}

export const findLinkOwner = (client: PgClient["Service"]) =>
  lookUp<LinkOwner>(
    client,
    "LinkOwner.find",
    sql`select json_build_object('organisationId', l.organisation_id, 'userId', l.user_id)::text
     from ${table("console_link")} l where l.digest = ${bytes("$1")}`
  )
