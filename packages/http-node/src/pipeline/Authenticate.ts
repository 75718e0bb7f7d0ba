/**
 * Authenticates the caller: by the host where it has an authentication, otherwise by the API key.
 */
import { ApiKeySecret, type ApiKeys, Caller, faultsOf } from "@solar-sites/core"
import { Effect, Redacted, Result, SchemaParser } from "effect"
import type { HttpServerRequest } from "effect/http"
import { apiKeyHeader } from "../contract/Authentication.ts"
import type { LimitFailures } from "../HostEndpoints.ts"
import type { HostAuthentication, HostCaller } from "../Options.ts"
import type { AddressLimit } from "./FailedAuthentications.ts"
import { type Refusal, refuse } from "./Refused.ts"

/** The caller, and the public prefix of its API key. */
export interface Authenticated {
  readonly caller: Caller
  readonly keyPrefix: string | null
}

/** A mistake of the host; the message, which is logged, says what to do. */
export class HostMistake extends Error {}

type Given = HostCaller | null | undefined

const isPromise = (answer: unknown): answer is Promise<Given> =>
  typeof answer === "object" && answer !== null && "then" in answer

/** A plain result is not awaited: a promise costs a turn of the event loop. */
const toEffect = (answer: ReturnType<HostAuthentication>): Effect.Effect<Given, Refusal> => {
  if (Effect.isEffect(answer)) return answer
  return isPromise(answer) ? Effect.promise(async () => answer) : Effect.succeed(answer)
}

const decodeCaller = SchemaParser.decodeUnknownResult(Caller, { errors: "all" })

// The value is not repeated: it can be a secret.
const mistake = (given: string) =>
  Effect.die(
    new HostMistake(
      `authenticate gave ${given}; let it give { organisationId, userId }, or null for a caller with an API key`
    )
  )

const callerOf = (given: HostCaller): Effect.Effect<Caller> => {
  if (typeof given !== "object") return mistake(`a ${typeof given} instead of a caller`)
  const { apiKeyId = null, organisationId, portfolioIds, scopes, userId = null } = given
  const limits = { ...(scopes === undefined ? {} : { scopes }), ...(portfolioIds == null ? {} : { portfolioIds }) }
  const decoded = decodeCaller({ organisationId, userId, apiKeyId, ...limits })
  if (Result.isSuccess(decoded)) return Effect.succeed(decoded.success)
  const faults = faultsOf(decoded.failure).map(({ detail, pointer }) => `${pointer.slice(1)} ${detail}`)
  return mistake(`a caller that cannot be one (${faults.join(", ")})`)
}

/** `limit` is applied to the key; the host decides whether to apply it to its own authentication. */
export const authenticator = (
  apiKeys: ApiKeys["Service"],
  limit: AddressLimit,
  host: HostAuthentication | undefined
) => {
  const withKey = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Authenticated, Refusal> => {
    const presented = request.headers[apiKeyHeader]
    if (presented === undefined || presented === "") return refuse("api_key_missing")
    const key = Redacted.make(presented, { label: "API key" })
    return Effect.map(apiKeys.authenticate(key), (caller) => ({ caller, keyPrefix: ApiKeySecret.shownPrefix(key) }))
  }
  const byKey = (request: HttpServerRequest.HttpServerRequest) => limit(request, withKey(request))
  if (host === undefined) return byKey
  return (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Authenticated, Refusal> => {
    const { headers, method, source, url } = request
    const limitFailures: LimitFailures = (authentication) => limit(request, authentication)
    const asked = Effect.suspend(() => toEffect(host({ method, url, headers, source, limitFailures })))
    return Effect.interruptible(asked).pipe(
      Effect.flatMap((caller) =>
        caller === null || caller === undefined
          ? byKey(request)
          : Effect.map(callerOf(caller), (caller) => ({ caller, keyPrefix: null }))
      )
    )
  }
}
