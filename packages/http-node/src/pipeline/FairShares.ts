/**
 * Bounds the requests of one organisation that execute at once while others have requests, so that
 * a flood by one organisation does not delay the others.
 */
import { Effect } from "effect"
import { type Refused, refuse } from "./Refused.ts"

// Each delays the next request of another organisation, and few suffice for two cores.
const atOnceTogether = 16
const leastAtOnce = 4
// More share the statements that write, and another organisation may come at any moment.
const atOnceAlone = 64
/** An organisation is alone when no other one had a request for so long. */
const aloneMs = 1_000

interface Organisation {
  running: number
  readonly waiting: Array<() => void>
  isStarting: boolean
}

/**
 * Runs an answer when its organisation has a place, in order of arrival. Refuses with `overloaded`
 * when too many of the organisation wait.
 */
export type Share = <A, E, R>(answer: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Refused, R>

/**
 * `mostWaiting` is the maximum of waiting requests of all organisations together. `clock` gives
 * milliseconds of a monotonic clock.
 */
export const makeFairShares = (
  mostWaiting: () => number,
  clock = () => performance.now()
): ((organisationId: string) => Share) => {
  const organisations = new Map<string, Organisation>()
  let latest = { organisationId: "", at: Number.NEGATIVE_INFINITY }
  let sharedUntil = Number.NEGATIVE_INFINITY

  const mostAtOnce = (now: number): number =>
    now >= sharedUntil ? atOnceAlone : Math.max(leastAtOnce, atOnceTogether / Math.max(2, organisations.size))

  const isRefused = ({ waiting }: Organisation, now: number): boolean =>
    now < sharedUntil && waiting.length >= mostWaiting() / (organisations.size + 1)

  const arrive = (organisationId: string, now: number): Organisation => {
    if (organisationId !== latest.organisationId && now - latest.at < aloneMs) sharedUntil = now + aloneMs
    latest = { organisationId, at: now }
    const known = organisations.get(organisationId)
    if (known !== undefined) return known
    const organisation = { running: 0, waiting: [], isStarting: false }
    organisations.set(organisationId, organisation)
    return organisation
  }

  const startWaiting = (organisationId: string, organisation: Organisation): void => {
    const { waiting } = organisation
    // A request that ends while it is started must not start the next one: the stack would grow.
    if (organisation.isStarting) return
    organisation.isStarting = true
    const now = clock()
    while (waiting.length > 0 && organisation.running < mostAtOnce(now)) waiting.shift()?.()
    organisation.isStarting = false
    if (organisation.running === 0 && waiting.length === 0) organisations.delete(organisationId)
  }

  return (organisationId) =>
    <A, E, R>(answer: Effect.Effect<A, E, R>) =>
      Effect.suspend((): Effect.Effect<A, E | Refused, R> => {
        const now = clock()
        const organisation = arrive(organisationId, now)
        const { waiting } = organisation
        let isRunning = organisation.running < mostAtOnce(now)
        const leave = Effect.sync(() => {
          if (isRunning) organisation.running -= 1
          else waiting.splice(waiting.indexOf(start), 1)
          startWaiting(organisationId, organisation)
        })
        let onStart = () => {}
        const start = () => {
          isRunning = true
          organisation.running += 1
          onStart()
        }
        if (isRunning) {
          start()
          return Effect.onExit(answer, () => leave)
        }
        if (isRefused(organisation, now)) return refuse("overloaded")
        waiting.push(start)
        const turn = Effect.callback<void>((resume) => {
          if (isRunning) return resume(Effect.void)
          onStart = () => resume(Effect.void)
        })
        return Effect.onExit(Effect.andThen(Effect.interruptible(turn), answer), () => leave)
      })
}
