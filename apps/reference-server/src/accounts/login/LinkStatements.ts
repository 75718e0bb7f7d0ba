/** Statements on links of all organisations: the look-up by the digest of a token, and the purge. */
import { mainChange, type PgClient, sql, statement, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, RepositoryError, UserId } from "@solar-sites/core"
import { Effect } from "effect"
import { bytes, inEach, instant } from "../SqlValues.ts"
import { LinkInvalid } from "./LinkRules.ts"

/** `userId` is null for an invitation. */
interface LinkOwner {
  readonly organisationId: OrganisationId
  readonly userId: UserId | null
}

/** Finds the organisation and the user of a link. */
export const findLinkOwner = (client: PgClient["Service"]) => {
  const find = statement<LinkOwner, { digest: string }>(
    client,
    "LinkStatements.find",
    ({ digest }) => sql`select json_build_object('organisationId', l.organisation_id, 'userId', l.user_id)::text
     from ${table("console_link")} l where l.digest = ${bytes(digest)}`,
    { across: true }
  )
  return (digest: string): Effect.Effect<LinkOwner, LinkInvalid | RepositoryError> =>
    Effect.flatMap(find({ digest }), (owner) => (owner === null ? new LinkInvalid() : Effect.succeed(owner)))
}

/** Deletes links that had expired at an instant in milliseconds, invitations included. */
export const deleteExpiredLinks = (client: PgClient["Service"]) => {
  const links = table("console_link")
  const owners = statement<ReadonlyArray<OrganisationId>, { now: number }>(
    client,
    "LinkStatements.findExpired",
    ({ now }) => sql`select json_agg(distinct organisation_id)::text from ${links} where expires_at <= ${instant(now)}`,
    { across: true }
  )
  const remove = statement<never, { organisationId: OrganisationId; now: number }>(
    client,
    "LinkStatements.deleteExpired",
    ({ now, organisationId }) => sql`${mainChange} delete from ${links}
     where organisation_id = ${organisationId}::uuid and expires_at <= ${instant(now)}`,
    { repeatable: true }
  )
  return (now: number): Effect.Effect<void, RepositoryError> =>
    inEach(owners({ now }), (organisationId) => remove({ organisationId, now }))
}
