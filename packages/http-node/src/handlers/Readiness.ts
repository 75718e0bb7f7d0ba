/**
 * Readiness: whether requests should be sent to this instance. Open to everyone, so the
 * dependencies are checked at most once per second.
 */
import { Clock, Duration, Effect } from "effect"
import type { Health } from "../contract/SystemApi.ts"
import type { HealthCheck } from "../Options.ts"
import { type Refused, refuse } from "../pipeline/Refused.ts"
import { type Reply, reply } from "../pipeline/Reply.ts"

const checkTimeout = Duration.seconds(2)
const lifeNanoseconds = 1_000_000_000n

interface State {
  readonly isUp: boolean
  readonly reason?: string
}

const stateOf = ({ isUp }: HealthCheck): Effect.Effect<State> =>
  (Effect.isEffect(isUp) ? isUp : Effect.promise(async () => isUp())).pipe(
    Effect.timeoutOrElse({ duration: checkTimeout, orElse: () => Effect.succeed(false) }),
    Effect.match({ onSuccess: (isUp) => ({ isUp }), onFailure: (reason) => ({ isUp: false, reason }) }),
    Effect.catchDefect(() => Effect.succeed({ isUp: false }))
  )

/** Calls within a second, or during a check, get the outcome of the same check. */
const oncePerSecond = <A>(check: Effect.Effect<A>): Effect.Effect<A> => {
  let latest: { outcome: Effect.Effect<A>; readonly startedAt: bigint; isDone: boolean } | undefined
  return Effect.flatMap(Clock.currentTimeNanos, (now) => {
    const age = latest === undefined ? lifeNanoseconds : now - latest.startedAt
    if (latest !== undefined && (!latest.isDone || (age >= 0n && age < lifeNanoseconds))) return latest.outcome
    const begun = { outcome: check, startedAt: now, isDone: false }
    latest = begun
    const ending = Effect.sync(() => {
      begun.isDone = true
    })
    return Effect.flatMap(Effect.cached(Effect.ensuring(check, ending)), (outcome) => {
      begun.outcome = outcome
      return outcome
    })
  })
}

/** A dependency that does not answer within two seconds is down. While `isShuttingDown`, the instance is not ready. */
export const readiness = (
  checks: ReadonlyArray<HealthCheck>,
  isShuttingDown: () => boolean
): Effect.Effect<Reply<Health>, Refused> => {
  const check = oncePerSecond(Effect.forEach(checks, stateOf, { concurrency: "unbounded" }))
  const respond = (states: ReadonlyArray<State>) => {
    const named: Health["checks"] = Object.fromEntries(
      checks.map(({ name }, index) => [name, states[index]?.isUp === true ? "up" : "down"])
    )
    const [down] = checks.flatMap(({ problem }, index) => {
      const { isUp = false, reason } = states[index] ?? {}
      return isUp || problem === null ? [] : [{ problem, reason }]
    })
    if (down === undefined) return Effect.succeed(reply<Health>({ status: "up", checks: named }))
    const { problem, reason } = down
    return refuse(problem, { members: { checks: named }, ...(reason === undefined ? {} : { detail: reason }) })
  }
  return Effect.suspend(() => (isShuttingDown() ? refuse("shutting_down") : Effect.flatMap(check, respond)))
}
