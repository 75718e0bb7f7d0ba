/**
 * Judges what was observed during and after a fault. Pure, so that tests can show that a broken
 * server fails.
 */
import type { ServiceName } from "./Services.ts"

/** Instants and durations are milliseconds of a monotonic clock. */
export interface Observation {
  /** 0 without an answer. */
  readonly status: number
  readonly code: string | undefined
  readonly retryAfter: string | null
  readonly probe: string
  readonly needs: ReadonlyArray<ServiceName>
  readonly isGood: boolean
  readonly millis: number
  /** Documented longest duration. */
  readonly boundMillis: number
}

export interface Disturbance {
  readonly services: ReadonlyArray<ServiceName>
  /** Further codes that it may cause. */
  readonly codes?: ReadonlyArray<string>
  /** The server itself stops or lacks resources, so that requests may have no answer. */
  readonly isOfServer: boolean
}

export interface Outcome {
  readonly observations: ReadonlyArray<Observation>
  /** From the end of the fault until every request succeeds. */
  readonly recoveryMillis: number
  /** The request that succeeded last. */
  readonly lastToRecover: string
  /** From then until a mail or an event arrives that was asked for after the fault; 0 without one. */
  readonly deliveryMillis: number
  /** Acknowledged changes that are gone. */
  readonly lost: ReadonlyArray<string>
  /** Why the process of the server has ended. */
  readonly crash: string | undefined
}

export interface Bounds {
  readonly recoveryMillis: number
  /** An attempt under way at the end of the fault may take 10 s, and the next turn follows after 1 s. */
  readonly deliveryMillis: number
  /** Allowance for a busy machine, in milliseconds beyond the bound of a request. */
  readonly slackMillis: number
}

/** Codes of the 503 that a lost service may cause. The OpenID provider has a page without code. */
const codes: Readonly<Partial<Record<ServiceName, string>>> = {
  postgres: "database_unavailable",
  s3: "storage_unavailable",
  openid: "oidc_unavailable"
}

const isDocumented = ({ code, needs, retryAfter, status }: Observation, disturbance: Disturbance): boolean => {
  if (code === undefined) return false
  if (disturbance.codes?.includes(code)) return true
  const allowed = disturbance.services.filter((service) => needs.includes(service)).map((service) => codes[service])
  return status === 503 && retryAfter !== null && allowed.includes(code)
}

const faultOf = (observation: Observation, disturbance: Disturbance, { slackMillis }: Bounds): string | undefined => {
  const { boundMillis, code, isGood, millis, probe, status } = observation
  const isRefusedConnection = status === 0 && code !== "hang"
  if (disturbance.isOfServer && status === 0) return undefined
  if (!isGood && !isDocumented(observation, disturbance)) {
    return isRefusedConnection ? `${probe}: no answer (${code})` : `${probe}: ${status} ${code ?? ""}`
  }
  // A stopped server answers when it goes on.
  if (disturbance.isOfServer || millis <= boundMillis + slackMillis) return undefined
  return `${probe}: ${status} after ${millis.toFixed(0)} ms instead of ${boundMillis}`
}

/** The violations; empty when every promise was kept. */
export const judge = (outcome: Outcome, disturbance: Disturbance, bounds: Bounds): ReadonlyArray<string> => {
  const faults = outcome.observations.flatMap((one) => faultOf(one, disturbance, bounds) ?? [])
  const { crash, deliveryMillis, lastToRecover, lost, recoveryMillis } = outcome
  return [
    ...(crash === undefined ? [] : [`the server ended: ${crash}`]),
    ...new Set(faults),
    ...lost.map((what) => `lost: ${what}`),
    ...(recoveryMillis <= bounds.recoveryMillis
      ? []
      : [`recovered after ${recoveryMillis.toFixed(0)} ms instead of ${bounds.recoveryMillis}: ${lastToRecover}`]),
    ...(deliveryMillis <= bounds.deliveryMillis
      ? []
      : [`delivered after ${deliveryMillis.toFixed(0)} ms instead of ${bounds.deliveryMillis}`])
  ]
}
