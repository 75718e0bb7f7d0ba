/** Counts failed logins, and writes an event of those of known users. */
import { mainQuery, PgClient, PgEventLog, sql, table } from "@solar-sites/adapter-postgres"
import { RateLimiter } from "@solar-sites/core"
import { Context, Duration, Effect, Layer } from "effect"
import type { User } from "../people/User.ts"
import { about, changed } from "../people/UserRow.ts"
import { statement } from "../Statement.ts"
import { type LoginAttempt, type LoginLimited, LoginLimits } from "./LoginLimits.ts"

/** `code`: the password was right, the code of the second factor wrong. */
export type FailureReason = "password" | "code"

// Per user, so that an attacker cannot fill the log.
const eventQuota = { limit: 10, window: Duration.minutes(15) }

const writeEvent = (client: PgClient["Service"]) =>
  statement(
    client,
    "LoginFailures.write",
    sql`with u as (
       select id, name from ${table("console_user")} where organisation_id = $1::uuid and id = $2::uuid
     ), ${PgEventLog.writeEvents({
       type: "user.login_failed",
       from: `u cross join ${PgEventLog.originFrom("$4", "o")}`,
       ...about(changed("reason", "null", "$3::text"))
     })}
     ${mainQuery} select null::text, ${PgEventLog.writtenTypes}`,
    { owned: true }
  )

export class LoginFailures extends Context.Service<
  LoginFailures,
  {
    /**
     * Fails if the failure exceeds a limit. The event is written in the background, so that known and
     * unknown users take the same time.
     */
    readonly count: (
      attempt: LoginAttempt,
      user: Pick<User, "id" | "organisationId"> | undefined,
      reason: FailureReason
    ) => Effect.Effect<void, LoginLimited>
  }
>()("@solar-sites/reference-server/LoginFailures") {
  static readonly layer: Layer.Layer<LoginFailures, never, LoginLimits | RateLimiter | PgClient> = Layer.effect(
    LoginFailures,
    Effect.gen(function* () {
      const limits = yield* LoginLimits
      const limiter = yield* RateLimiter
      const write = writeEvent(yield* PgClient)
      const originOf = yield* PgEventLog.originParameters
      const scope = yield* Effect.scope

      const report = Effect.fnUntraced(
        function* ({ id, organisationId }: Pick<User, "id" | "organisationId">, reason: FailureReason) {
          const { allowed } = yield* limiter.take(`login-event:${organisationId}:${id}`, eventQuota)
          if (allowed) yield* write(organisationId, id, reason, yield* originOf(organisationId))
        },
        Effect.catchCause((cause) => Effect.logWarning("event of a failed login lost", cause))
      )

      return LoginFailures.of({
        count: (attempt, user, reason) =>
          Effect.andThen(
            user === undefined ? Effect.void : Effect.forkIn(report(user, reason), scope),
            limits.fail(attempt)
          )
      })
    })
  )
}
