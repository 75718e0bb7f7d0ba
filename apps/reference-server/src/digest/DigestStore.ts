/** Choices of users about the digest, and which digests were sent. */
import { PgClient, sql, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, RepositoryError, UserId } from "@solar-sites/core"
import { Context, Effect, Layer, Option } from "effect"
import { statement } from "../accounts/Statement.ts"
import type { DigestChoice } from "./DigestChoice.ts"

const statements = (client: PgClient["Service"]) => ({
  choiceOf: statement<DigestChoice>(
    client,
    "DigestStore.choiceOf",
    sql`select to_json(u.digest)::text from ${table("console_user")} u
     where u.organisation_id = $1::uuid and u.id = $2::uuid`,
    { repeatable: true }
  )
})

export class DigestStore extends Context.Service<
  DigestStore,
  {
    /** None if the user is deleted. */
    readonly choiceOf: (
      organisationId: OrganisationId,
      userId: UserId
    ) => Effect.Effect<Option.Option<DigestChoice>, RepositoryError>
  }
>()("@solar-sites/reference-server/DigestStore") {
  static readonly layer: Layer.Layer<DigestStore, never, PgClient> = Layer.effect(
    DigestStore,
    Effect.map(PgClient, (client) => {
      const sql = statements(client)
      return DigestStore.of({
        choiceOf: (organisationId, userId) => Effect.map(sql.choiceOf(organisationId, userId), Option.fromNullOr)
      })
    })
  )
}
