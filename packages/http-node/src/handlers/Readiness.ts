/**
 * Whether requests should be sent here. Everybody may ask, so that what is
 * looked at is asked once a second at most.
 */
import { Clock, Duration, Effect } from "effect"
import type { Health } from "../contract/SystemApi.ts"
import type { HealthCheck } from "../Options.ts"
import { type Refused, refuse } from "../pipeline/Refused.ts"
import { type Reply, reply } from "./Reply.ts"

const patience = Duration.seconds(2)
const lookNanoseconds = 1_000_000_000n

const stateOf = ({ isUp }: HealthCheck) =>
  (Effect.isEffect(isUp) ? isUp : Effect.promise(async () => isUp())).pipe(
    Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed(false) }),
    Effect.catchDefect(() => Effect.succeed(false))
  )

/** All that ask within a second, or while a look is under way, get the outcome of the same one. */
const oncePerSecond = <A>(look: Effect.Effect<A>): Effect.Effect<A> => {
  let latest: { outcome: Effect.Effect<A>; readonly startedAt: bigint; isDone: boolean } | undefined
  return Effect.flatMap(Clock.currentTimeNanos, (now) => {
    const age = latest === undefined ? lookNanoseconds : now - latest.startedAt
    if (latest !== undefined && (!latest.isDone || (age >= 0n && age < lookNanoseconds))) return latest.outcome
    const begun = { outcome: look, startedAt: now, isDone: false }
    latest = begun
    const ending = Effect.sync(() => {
      begun.isDone = true
    })
    return Effect.flatMap(Effect.cached(Effect.ensuring(look, ending)), (outcome) => {
      begun.outcome = outcome
      return outcome
    })
  })
}

/** Each dependency has two seconds to answer. `isShuttingDown` turns readiness red before anything is closed. */
export const readiness = (
  checks: ReadonlyArray<HealthCheck>,
  isShuttingDown: () => boolean
): Effect.Effect<Reply<Health>, Refused> => {
  const look = oncePerSecond(Effect.forEach(checks, stateOf, { concurrency: "unbounded" }))
  const judge = (states: ReadonlyArray<boolean>) => {
    const named: Health["checks"] = Object.fromEntries(
      checks.map(({ name }, index) => [name, states[index] === true ? "up" : "down"])
    )
    const [code] = checks.flatMap(({ problem }, index) => (states[index] === true || problem === null ? [] : [problem]))
    return code === undefined
      ? Effect.succeed(reply<Health>({ status: "up", checks: named }))
      : refuse(code, { members: { checks: named } })
  }
  return Effect.suspend(() => (isShuttingDown() ? refuse("shutting_down") : Effect.flatMap(look, judge)))
}
