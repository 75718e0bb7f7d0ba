/**
 * Serves an endpoint of the host beside those of the contract.
 */
import { Effect } from "effect"
import type { HostEndpoint, HostEndpointRequest } from "../HostEndpoints.ts"
import { addressName, type ClientAddress } from "./ClientAddress.ts"
import type { ServedEndpoint } from "./Endpoint.ts"
import { readJson } from "./JsonBody.ts"

export const servingHost =
  (addressOf: ClientAddress) =>
  ({ method, path, serve }: HostEndpoint): ServedEndpoint => ({
    method,
    path,
    keyed: false,
    serve: ({ identify, params, request }) => {
      const address = addressOf(request)
      const incoming: HostEndpointRequest = {
        request,
        params,
        clientAddress: address === undefined ? undefined : addressName(address),
        // Nothing has begun while the body is read.
        readJson: (maximumBytes) =>
          Effect.interruptible(Effect.map(readJson(request, maximumBytes), ({ value }) => value)),
        identify
      }
      const answer = Effect.suspend(() => serve(incoming))
      return method === "GET" ? Effect.interruptible(answer) : answer
    }
  })
