/** What API keys may do that users of the console created: at most what the user may do now. */
import { PgClient, sql, table } from "@solar-sites/adapter-postgres"
import { ApiKeyOwners, type OrganisationId, type PortfolioLimit, Records, type UserId } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { presentLimitIn } from "../PresentLimits.ts"
import { statement } from "../Statement.ts"
import { type Role, scopesOf } from "./Role.ts"
import { parseAccountId } from "./User.ts"

/** Other ids, which `api-keys create --user` accepts, are users of other systems: no limit. */
export const layer: Layer.Layer<never, never, PgClient | Records> = Layer.effect(
  ApiKeyOwners,
  Effect.gen(function* () {
    const client = yield* PgClient
    const presentLimit = presentLimitIn(yield* Records)
    const find = statement<Role | "deleted">(
      client,
      "KeyOwners.find",
      sql`select to_json(coalesce(
         (select u.role from ${table("console_user")} u where u.organisation_id = $1::uuid and u.id = $2::uuid),
         (select 'deleted' from ${table("console_deleted_user")} d
          where d.organisation_id = $1::uuid and d.id = $2::uuid)
       ))::text`,
      { owned: true, repeatable: true }
    )
    const findLimit = statement<PortfolioLimit>(
      client,
      "KeyOwners.findLimit",
      sql`select to_json(u.portfolio_ids)::text from ${table("console_user")} u
       where u.organisation_id = $1::uuid and u.id = $2::uuid`,
      { owned: true, repeatable: true }
    )

    /** The answer about a user of this server; null for another one. */
    const ofUser = <A, E>(userId: UserId, found: (id: UserId) => Effect.Effect<A | null, E>) =>
      Option.match(parseAccountId(userId), { onNone: () => Effect.succeed(null), onSome: found })

    const present = (organisationId: OrganisationId) => (limit: PortfolioLimit) => presentLimit(organisationId, limit)

    return {
      scopesOf: (organisationId, userId) =>
        Effect.map(
          ofUser(userId, (id) => find(organisationId, id)),
          (found) => (found === null ? "all" : found === "deleted" ? found : scopesOf(found))
        ),
      portfolioIdsOf: (organisationId, userId) =>
        Effect.flatMap(
          ofUser(userId, (id) => findLimit(organisationId, id)),
          present(organisationId)
        )
    }
  })
)
