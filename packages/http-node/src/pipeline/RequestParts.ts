/** Reads the parts of a request that an endpoint declares. Only the parameters of its path are decoded. */
import { Context, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { BodyOptional, MaximumBody } from "../contract/Conditions.ts"
import { paramsDecoderOf, parseQuery, type Raw } from "./Decode.ts"
import { hasBody, type JsonBody, readJson } from "./JsonBody.ts"
import type { Refused } from "./Refused.ts"

interface Sent {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly params: Readonly<Record<string, string>>
  readonly query: string
}

/** `body` is as it was sent. */
interface RequestParts {
  readonly raw: Raw
  readonly body: Uint8Array
}

const noBody: JsonBody = { bytes: new Uint8Array(), value: undefined }

/** Without `takesQuery` the query is ignored. */
export const partsReaderOf = (endpoint: HttpApiEndpoint.Top, takesQuery: boolean) => {
  const decodeParams = paramsDecoderOf(endpoint)
  const readsBody = endpoint.payload.size > 0
  const maximumBytes = Context.get(endpoint.annotations, MaximumBody)
  const bodyOptional = Context.get(endpoint.annotations, BodyOptional)
  const noPayload = Effect.succeed(noBody)
  return ({ params, query, request }: Sent): Effect.Effect<RequestParts, Refused> => {
    const expectsBody = readsBody && !(bodyOptional && !hasBody(request))
    return Effect.map(expectsBody ? readJson(request, { maximumBytes }) : noPayload, ({ bytes, value }) => ({
      raw: {
        query: takesQuery ? parseQuery(query) : {},
        headers: request.headers,
        payload: value,
        params: endpoint.params === undefined ? undefined : decodeParams(params)
      },
      body: bytes
    }))
  }
}
