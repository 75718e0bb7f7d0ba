/**
 * Messages for errors of requests.
 */
import { SolarSitesError, SolarSitesNetworkError, SolarSitesProblem } from "@solar-sites/http-node/client"
import { failureTexts } from "../texts/en/failures.ts"
import { serverTexts } from "../texts/en/server.ts"
import { type Refusal, saidReason, saidText } from "../texts/Said.ts"

/** Sentence of a problem, in the language of the page. */
export const problemText = (problem: Refusal): string => saidText(serverTexts.problems, problem)

/** Fault of a value, which follows its name, as `must be a number` does. */
export const faultText = (fault: Refusal): string => saidText(serverTexts.faults, fault)

/** Why a document has failed. */
export const reasonText = (reason: string): string => saidReason(serverTexts.reasons, reason)

/** True when no answer came, so that a retry can help. */
export const isConnectionLost = (error: unknown): boolean => error instanceof SolarSitesNetworkError

export const isProblem = (error: unknown, code: string): error is SolarSitesProblem =>
  error instanceof SolarSitesProblem && error.code === code

/** True when a fault of the request has this code. */
export const hasFault = (error: unknown, code: string): boolean =>
  error instanceof SolarSitesProblem && error.errors.some((fault) => fault.code === code)

/** True when there is no session any more. */
export const isSessionMissing = (error: unknown): boolean => isProblem(error, "session_missing")

const outdated = ["scope_missing", "role_insufficient", "second_factor_setup_required"]

/** True when the session allows less than the page assumed. */
export const isSessionOutdated = (error: unknown): boolean => outdated.some((code) => isProblem(error, code))

/** One or two sentences; the detail of the problem document where the server refused. */
export const messageOf = (error: unknown): string => {
  if (error instanceof SolarSitesProblem) {
    if (error.code === "session_missing") return failureTexts.sessionEnded
    if (error.code === "scope_missing") return failureTexts.roleInsufficient
    if (error.code === "rate_limited") return failureTexts.tooMany(error.retryAfter)
    if (error.errors.length > 0)
      return error.errors.map((fault) => failureTexts.fault(fault.pointer, faultText(fault))).join(" ")
    const about = error.status >= 500 && error.requestId !== null ? ` ${failureTexts.request(error.requestId)}` : ""
    return `${problemText(error)}${about}`
  }
  if (isConnectionLost(error)) return failureTexts.noConnection
  return error instanceof SolarSitesError ? failureTexts.unexpectedAnswer : failureTexts.unexpected
}

/**
 * The server's faults by the field they are about, for the `setErrors` of a form:
 * `/location/latitude` becomes `location.latitude`.
 */
export const fieldErrorsOf = (error: unknown): Readonly<Record<string, string>> => {
  if (!(error instanceof SolarSitesProblem)) return {}
  const named = error.errors.map((fault): [string, string] => [
    fault.pointer
      .slice(1)
      .split("/")
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
      .join("."),
    faultText(fault)
  ])
  // The first fault of a field counts.
  return Object.fromEntries(named.reverse())
}
