/**
 * Decodes the parts of a request that an endpoint declares: query, body and headers together, so
 * that all faults are reported at once.
 */
import { type Fault, faultsOf, pointerTo } from "@solar-sites/core"
import { Result, Schema, SchemaParser } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { type Refused, refusedFaults } from "./Refused.ts"

/** The parameters of a query; one that is repeated is an array. */
export type Query = Readonly<Record<string, string | ReadonlyArray<string>>>

/** A request before it is decoded. */
export interface Raw {
  readonly query: Query
  readonly headers: Readonly<Record<string, string | undefined>>
  /** `undefined` where no body is read. */
  readonly payload: unknown
  /** The decoded parameters of the path; `undefined` when no resource can have them. */
  readonly params: unknown
}

export interface Decoded {
  readonly query: unknown
  readonly headers: unknown
  readonly payload: unknown
}

// More than any operation takes: a longer query is refused for these parameters alone.
const maximumParameters = 2_000
const longQuery = 16_384

// Node takes seconds to parse 1 MiB of parameters, and the time grows faster than the length.
const cut = (text: string): string =>
  text.length < longQuery
    ? text
    : text
        .split("&")
        .filter((parameter) => parameter !== "")
        .slice(0, maximumParameters)
        .join("&")

export const parseQuery = (text: string): Query => {
  const parameters = new Map<string, string | Array<string>>()
  for (const [name, value] of new URLSearchParams(cut(text))) {
    const seen = parameters.get(name)
    if (seen === undefined) parameters.set(name, value)
    else if (typeof seen === "string") parameters.set(name, [seen, value])
    else seen.push(value)
  }
  return Object.fromEntries(parameters)
}

type Decoder = (input: unknown) => Result.Result<unknown, ReadonlyArray<Fault>>

const absent: Decoder = () => Result.succeed(undefined)

const decoder = (schema: Schema.Top | undefined, strict: boolean): Decoder => {
  if (schema === undefined) return absent
  // No schema of the contract needs a service to decode, which the general type cannot express.
  const decode = SchemaParser.decodeUnknownResult(schema as Schema.Decoder<unknown>, {
    errors: "all",
    onExcessProperty: strict ? "error" : "ignore"
  })
  return (input) => Result.mapError(decode(input), faultsOf)
}

// An empty struct would let every parameter pass.
const noParameters: Decoder = (query) => {
  const names = Object.keys(Object(query))
  if (names.length === 0) return Result.succeed(undefined)
  return Result.fail(names.map((name) => ({ pointer: pointerTo([name]), code: "unknown_member", detail: "" })))
}

// In a query, an unknown member is an unknown parameter, and an array in place of a single value
// is a repeated parameter.
const asQueryFault =
  (query: Query) =>
  (fault: Fault): Fault => {
    if (fault.code === "unknown_member") {
      return { ...fault, code: "unknown_parameter", detail: "is not a parameter of this operation" }
    }
    const wrong = fault.code === "invalid_type" || fault.code === "invalid_value"
    const repeated = wrong && Array.isArray(query[fault.pointer.slice(1)])
    return repeated ? { ...fault, code: "repeated_parameter", detail: "must be given once" } : fault
  }

const failure = <A>(result: Result.Result<A, ReadonlyArray<Fault>>): ReadonlyArray<Fault> =>
  Result.isFailure(result) ? result.failure : []

const unite = (schemas: ReadonlyArray<Schema.Top>): Schema.Top | undefined =>
  schemas.length > 1 ? Schema.Union(schemas) : schemas[0]

/** The decoder of an endpoint; `moreFaults` come from its checks. */
export const decoderOf = (endpoint: HttpApiEndpoint.Top) => {
  const decodeQuery =
    endpoint.query === undefined ? noParameters : decoder(Schema.toCodecArrayFromSingle(endpoint.query), true)
  const decodeHeaders = decoder(endpoint.headers, false)
  const decodePayload = decoder(unite([...endpoint.payload.values()].flatMap(({ schemas }) => schemas)), true)

  return (raw: Raw, moreFaults: ReadonlyArray<Fault>): Result.Result<Decoded, Refused> => {
    const query = decodeQuery(raw.query)
    const payload = raw.payload === undefined ? absent(raw.payload) : decodePayload(raw.payload)
    const headers = decodeHeaders(raw.headers)
    if (Result.isSuccess(query) && Result.isSuccess(payload) && Result.isSuccess(headers) && moreFaults.length === 0) {
      return Result.succeed({ query: query.success, payload: payload.success, headers: headers.success })
    }
    const queryFaults = failure(query).map(asQueryFault(raw.query))
    // A parameter with a fault of the schema has no further fault.
    const others = moreFaults.filter(({ pointer }) => queryFaults.every((fault) => fault.pointer !== pointer))
    const faults = [...queryFaults, ...others, ...failure(payload)]
    return Result.fail(refusedFaults(faults, failure(headers)))
  }
}

/** Decodes the `{id}` of a path; `undefined` when it is no id. */
export const paramsDecoderOf = (endpoint: HttpApiEndpoint.Top) => {
  const decode = decoder(endpoint.params, false)
  return (params: Readonly<Record<string, string>>): unknown => Result.getOrElse(decode(params), () => undefined)
}
