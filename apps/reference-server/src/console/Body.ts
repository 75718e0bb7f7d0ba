/** Reads JSON bodies of the console's endpoints. */
import { faultsOf, ValidationFailed } from "@solar-sites/core"
import type { HostEndpointRequest, Refusal } from "@solar-sites/http-node"
import { Effect, Schema } from "effect"

/** Decodes the body; fails with all its faults. */
export const body = <A>(schema: Schema.Codec<A, unknown>, maximumBytes = 16_384) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return ({ readJson }: HostEndpointRequest): Effect.Effect<A, Refusal> =>
    Effect.flatMap(readJson(maximumBytes), (value) =>
      Effect.mapError(decode(value), ({ issue }) => new ValidationFailed({ faults: faultsOf(issue) }))
    )
}

/** The body of a request without a session: room for an escaped name, e-mail address and password. */
export const openBody = <A>(schema: Schema.Codec<A, unknown>) => body(schema, 8_192)
