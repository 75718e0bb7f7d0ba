/**
 * Whether this machine and the store agree on the time: an address is signed by
 * the one clock and judged by the other.
 */
import type { S3Finding } from "./S3Check.ts"

/** When a request was sent and answered by our clock, and the store's own time in the answer; NaN without one. */
export interface Instants {
  readonly before: number
  readonly after: number
  readonly server: number
}

const warnAboveSeconds = 5
const failAboveSeconds = 30

/** By how many seconds our clock is ahead of the store's for certain; negative: behind. */
const aheadSeconds = ({ after, before, server }: Instants): number => {
  // A Date header is cut to its second, and was written at some time between the two.
  if (before > server + 999) return (before - server - 999) / 1_000
  if (after < server) return (after - server) / 1_000
  return 0
}

export const skewFinding = (instants: Instants): ReadonlyArray<S3Finding> => {
  if (Number.isNaN(instants.server)) return []
  const ahead = aheadSeconds(instants)
  const seconds = Math.round(Math.abs(ahead))
  if (Math.abs(ahead) <= warnAboveSeconds) return []
  const consequence =
    ahead < 0
      ? `upload addresses lapse ${seconds} s early`
      : `addresses may be refused as not valid yet, or hold ${seconds} s too long`
  return [
    {
      severity: Math.abs(ahead) > failAboveSeconds ? "failure" : "warning",
      sentence: `This machine's clock is ${seconds} s ${ahead < 0 ? "behind" : "ahead of"} the store's, so that ${consequence}; set it by NTP.`
    }
  ]
}
