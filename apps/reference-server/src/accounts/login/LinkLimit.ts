/** Limit on invalid links of an address. They count as failed authentications, as invalid sessions and keys do. */
import type { HostEndpointRequest, HostRefused, Refusal } from "@solar-sites/http-node"
import { Effect } from "effect"
import { sessionMissing } from "../../console/ConsoleProblems.ts"
import { linkInvalid } from "./LinkProblems.ts"

const replacing = <A, R>(
  use: Effect.Effect<A, Refusal, R>,
  from: HostRefused,
  to: HostRefused
): Effect.Effect<A, Refusal, R> =>
  Effect.catchIf(
    use,
    (refusal) => refusal === from,
    () => Effect.fail(to)
  )

/**
 * Runs the use of a link, reading its body included: an address over its limit costs neither. The refusal of an
 * invalid link counts as a failed authentication, as sessions do.
 */
export const limitLinks = <A, R>(
  { limitFailures }: HostEndpointRequest,
  use: Effect.Effect<A, Refusal, R>,
  invalid: HostRefused = linkInvalid
): Effect.Effect<A, Refusal, R> =>
  replacing(limitFailures(replacing(Effect.uninterruptible(use), invalid, sessionMissing)), sessionMissing, invalid)
