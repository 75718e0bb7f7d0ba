/**
 * Serves an endpoint of the host beside those of the contract.
 */
import { Effect } from "effect"
import type { HostEndpoint, HostEndpointRequest } from "../HostEndpoints.ts"
import { addressName, type ClientAddress } from "./ClientAddress.ts"
import type { ServedEndpoint } from "./Endpoint.ts"
import type { AddressLimit } from "./FailedAuthentications.ts"
import { readJson } from "./JsonBody.ts"

export const servingHost =
  (addressOf: ClientAddress, limit: AddressLimit) =>
  ({ method, path, serve }: HostEndpoint): ServedEndpoint => ({
    method,
    path,
    requiresCaller: false,
    serve: ({ identify, params, request }) => {
      const address = addressOf(request)
      const incoming: HostEndpointRequest = {
        request,
        params,
        clientAddress: address === undefined ? undefined : addressName(address),
        // Nothing has begun while the body is read.
        readJson: (maximumBytes) =>
          Effect.interruptible(Effect.map(readJson(request, maximumBytes), ({ value }) => value)),
        limitFailures: (authentication) => limit(request, authentication),
        identify
      }
      const answer = Effect.suspend(() => serve(incoming))
      return method === "GET" ? Effect.interruptible(answer) : answer
    }
  })
