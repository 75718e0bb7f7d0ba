/**
 * Who is calling: the host's own authentication where it has one, and the API
 * key otherwise.
 */
import { ApiKeySecret, type ApiKeys, Caller } from "@solar-sites/core"
import { Effect, Redacted, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { apiKeyHeader } from "../contract/Authentication.ts"
import type { HostAuthentication, HostCaller } from "../Options.ts"
import type { AddressLimit } from "./FailedAuthentications.ts"
import { type Refusal, refuse } from "./Refused.ts"

/** The caller, and what may be shown of the key it came with. */
export interface Authenticated {
  readonly caller: Caller
  readonly keyPrefix: string | null
}

const decodeCaller = Schema.decodeUnknownEffect(Caller)

/** What is known at once is not waited for: a promise costs each request a turn of its own. */
const toEffect = (answer: ReturnType<HostAuthentication>): Effect.Effect<HostCaller | null, Refusal> => {
  if (Effect.isEffect(answer)) return answer
  return answer !== null && "then" in answer ? Effect.promise(async () => answer) : Effect.succeed(answer)
}

/** `limit` stands before the key; a caller that the host knows never gets to it. */
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
    const asked = Effect.suspend(() => toEffect(host({ method, url, headers, source })))
    return Effect.interruptible(asked).pipe(
      Effect.flatMap((caller) =>
        caller === null
          ? byKey(request)
          : Effect.map(
              // A caller that is none is a fault of the host, not of the request.
              Effect.orDie(decodeCaller({ userId: null, apiKeyId: null, ...caller })),
              (caller) => ({ caller, keyPrefix: null })
            )
      )
    )
  }
}
