/** Limit on invalid links of an address. They count as failed authentications, as invalid sessions and keys do. */
import type { HostEndpointRequest, HostRefused, Refusal } from "@solar-sites/http-node"
import { Effect } from "effect"
import { sessionMissing } from "../../console/ConsoleProblems.ts"
import { linkInvalid } from "../AccountProblems.ts"

/**
 * Runs the use of a link, reading its body included: an address over its limit costs neither. The refusal of an
 * invalid link counts as a failed authentication, as sessions do.
 */
export const limitLinks = <A, R>(
  { limitFailures }: HostEndpointRequest,
  use: Effect.Effect<A, Refusal, R>,
  invalid: HostRefused = linkInvalid
): Effect.Effect<A, Refusal, R> =>
  Effect.uninterruptible(use).pipe(
    Effect.mapError((refusal) => (refusal === invalid ? sessionMissing : refusal)),
    limitFailures,
    Effect.mapError((refusal) => (refusal === sessionMissing ? invalid : refusal))
  )
