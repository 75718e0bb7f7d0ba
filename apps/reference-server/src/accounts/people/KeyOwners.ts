/** What API keys may do that users of the console created: at most what the user may do now. */
import { PgClient, sql, statement, table } from "@solar-sites/adapter-postgres"
import { ApiKeyOwners, type OrganisationId, type PortfolioLimit, Records, type UserId } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { presentLimitIn } from "../PresentLimits.ts"
import { type Role, scopesOf } from "./Role.ts"
import { parseAccountId } from "./User.ts"

interface OneUser {
  readonly organisationId: OrganisationId
  readonly userId: UserId
}

/** Other ids, which `api-keys create --user` accepts, are users of other systems: no limit. */
export const layer: Layer.Layer<never, never, PgClient | Records> = Layer.effect(
  ApiKeyOwners,
  Effect.gen(function* () {
    const client = yield* PgClient
    const presentLimit = presentLimitIn(yield* Records)
    const find = statement<Role | "deleted", OneUser>(
      client,
      "KeyOwners.find",
      ({ organisationId, userId }) => sql`select to_json(coalesce(
         (select u.role from ${table("console_user")} u where u.organisation_id = ${organisationId}::uuid and u.id = ${userId}::uuid),
         (select 'deleted' from ${table("console_deleted_user")} d
          where d.organisation_id = ${organisationId}::uuid and d.id = ${userId}::uuid)
       ))::text`,
      { repeatable: true }
    )
    const findLimit = statement<PortfolioLimit, OneUser>(
      client,
      "KeyOwners.findLimit",
      ({ organisationId, userId }) => sql`select to_json(u.portfolio_ids)::text from ${table("console_user")} u
       where u.organisation_id = ${organisationId}::uuid and u.id = ${userId}::uuid`,
      { repeatable: true }
    )

    /** The answer about a user of this server; null for another one. */
    const ofUser = <A, E>(userId: UserId, found: (id: UserId) => Effect.Effect<A | null, E>) =>
      Option.match(parseAccountId(userId), { onNone: () => Effect.succeed(null), onSome: found })

    const present = (organisationId: OrganisationId) => (limit: PortfolioLimit) => presentLimit(organisationId, limit)

    return {
      scopesOf: (organisationId, userId) =>
        Effect.map(
          ofUser(userId, (id) => find({ organisationId, userId: id })),
          (found) => (found === null ? "all" : found === "deleted" ? found : scopesOf(found))
        ),
      portfolioIdsOf: (organisationId, userId) =>
        Effect.flatMap(
          ofUser(userId, (id) => findLimit({ organisationId, userId: id })),
          present(organisationId)
        )
    }
  })
)
