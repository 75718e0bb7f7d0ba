/**
 * Serves `POST /storage-events`: notifications of a storage about files that have arrived
 * (specification, section 12). The token is the permission; there is no caller. A path changes
 * nothing by itself, because `Documents` inspects the file in storage.
 */
import type { Documents } from "@solar-sites/core"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HostEndpoint } from "../HostEndpoints.ts"
import type { StorageEvents } from "../Options.ts"
import { bearerOf, isToken } from "../pipeline/BearerToken.ts"
import { readJson } from "../pipeline/JsonBody.ts"
import { HostRefused } from "../pipeline/Refused.ts"

export const storageEventsPath = "/storage-events"

// Each path costs a query and, for a document that waits for its file, a request to storage.
const concurrency = 8

const refusedBecause = (detail: string) =>
  new HostRefused({
    status: 401,
    code: "token_invalid",
    title: "Token invalid",
    detail,
    headers: { "www-authenticate": 'Bearer realm="storage-events"' }
  })

const tokenInvalid = refusedBecause("Send the token of storage notifications as Authorization: Bearer, or as ?token=.")

/** A token contains no space, so a space in the query is a plus sign that was not encoded. */
const queryTokensOf = (url: string): ReadonlyArray<string> =>
  new URLSearchParams(url.split("?").slice(1).join("?")).getAll("token").map((text) => text.replaceAll(" ", "+"))

/** The first failure ends the request. The sender repeats it, and paths that were done change nothing. */
export const storageEventsEndpoint = (
  { read, token }: StorageEvents,
  { objectArrived }: Documents["Service"]
): HostEndpoint => ({
  method: "POST",
  path: storageEventsPath,
  serve: Effect.fnUntraced(function* ({ limitFailures, request }) {
    const presented = [bearerOf(request) ?? [], queryTokensOf(request.url).slice(0, 2)].flat()
    // A web page can send a token in the query; it must not use up the failures of its user's address.
    if (presented.length === 0 || request.headers["origin"] !== undefined) return yield* tokenInvalid
    yield* limitFailures(
      Effect.suspend(() => (presented.some((one) => isToken(one, token)) ? Effect.void : Effect.fail(tokenInvalid)))
    )
    // Amazon SNS sends JSON as text/plain.
    const { value } = yield* Effect.interruptible(readJson(request, { anyMediaType: true }))
    const reported = Effect.catchTag(read(value), "SignatureInvalid", ({ message }) => refusedBecause(`${message}.`))
    const paths = new Set(yield* reported)
    yield* Effect.forEach(paths, objectArrived, { concurrency, discard: true })
    return HttpServerResponse.empty({ status: 204 })
  })
})
