/** What API keys may do that users of the console created: at most what the user may do now. */
import { PgClient, sql, table } from "@solar-sites/adapter-postgres"
import { ApiKeyOwners } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { statement } from "../Statement.ts"
import { type Role, scopesOf } from "./Role.ts"
import { parseAccountId } from "./User.ts"

/** Other ids, which `api-keys create --user` accepts, are users of other systems: no limit. */
export const layer: Layer.Layer<never, never, PgClient> = Layer.effect(
  ApiKeyOwners,
  Effect.map(PgClient, (client) => {
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
    return {
      scopesOf: (organisationId, userId) =>
        Option.match(parseAccountId(userId), {
          onNone: () => Effect.succeed("all" as const),
          onSome: (id) =>
            Effect.map(find(organisationId, id), (found) =>
              found === null ? "all" : found === "deleted" ? found : scopesOf(found)
            )
        }),
      // Users are not limited to portfolios yet.
      portfolioIdsOf: () => Effect.succeed(null)
    }
  })
)
