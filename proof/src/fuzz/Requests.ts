/**
 * Generated requests: mostly valid ones of each operation, ones with one change, and odd paths and
 * methods.
 */
import * as fc from "fast-check"
import type { JsonSchema, Operation } from "./Contract.ts"
import { jsonText, type Mutation, mutated, mutation, oddValues, RawJson, textChanges } from "./Mutations.ts"
import type { Kind } from "./Placeholders.ts"
import { idOf, valueFor } from "./Values.ts"

/** A request with placeholders. `line` is that of its operation, or that of none. */
export interface Generated {
  readonly line: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** Names the key to send. */
  readonly key: "own" | "none" | "wrong" | "two"
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
}

const kindOfPath: Readonly<Record<string, Kind>> = {
  sites: "site",
  portfolios: "portfolio",
  docs: "document",
  webhooks: "webhook"
}

const seldom = <A>(usual: A, others: fc.Arbitrary<A>, weight = 12): fc.Arbitrary<A> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others })

const oddSegments = [
  "x",
  "0",
  "%00",
  "%2e%2e",
  "a%2fb",
  "{id}",
  "%ff",
  "f0f0f0f0000040008000000000000000",
  "a;b",
  "%E2%82%AC"
]

const pathOf = ({ path }: Operation): fc.Arbitrary<string> => {
  const parts = path.split(/(\{\w+\})/)
  const [, , , noun = ""] = /^(\/)(api)\/(\w+)/.exec(path) ?? []
  const segments = parts.map((part) => {
    if (!part.startsWith("{")) return fc.constant(part)
    const kind = part === "{deliveryId}" ? "delivery" : (kindOfPath[noun] ?? "absent")
    return fc.oneof({ weight: 20, arbitrary: idOf(kind) }, { weight: 1, arbitrary: fc.constantFrom(...oddSegments) })
  })
  return fc.tuple(...segments).map((all) => all.join(""))
}

const textOf = (value: unknown): string => {
  if (value instanceof RawJson) return value.raw.replace(/^"|"$/g, "")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

// Lone surrogates cannot be sent in a URL.
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

const parameterOf = (name: string, schema: JsonSchema): fc.Arbitrary<ReadonlyArray<string>> =>
  valueFor(schema, name).map((value) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${name}=${encoded(textOf(one))}`)
  )

const queryOf = ({ parameters }: Operation): fc.Arbitrary<string> => {
  const named = parameters.filter((parameter) => parameter.in === "query")
  const parts = named.map(({ name, schema }) => seldom<ReadonlyArray<string>>([], parameterOf(name, schema), 3))
  const names = ["colour", "limit", ...named.map(({ name }) => name)]
  const odd = fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...oddValues, "05", "1e2", "1.0", "+1", "1001", "%"))
    .map(([name, value]) => [`${name}=${encoded(textOf(value))}`])
  const raw = fc.constantFrom(
    ["limit"],
    ["=1"],
    ["&&"],
    ["%zz=1"],
    ["limit=%zz"],
    ["q=%ff"],
    ["tag=a&tag=b"],
    ["a[0]=1"]
  )
  return fc
    .tuple(...parts, seldom<ReadonlyArray<string>>([], fc.oneof({ weight: 5, arbitrary: odd }, raw), 6))
    .map((all) => all.flat().join("&"))
}

/** Media types of bodies, and whether the service reads them. */
export const contentTypes: Readonly<Record<string, boolean>> = {
  "application/json": true,
  "Application/JSON; charset=UTF-8": true,
  "application/json;charset=utf-8": true,
  "text/plain": false,
  "application/json; charset=utf-16": false,
  "application/merge-patch+json": false,
  "multipart/form-data; boundary=x": false,
  "application/x-www-form-urlencoded": false,
  "text/csv": false,
  json: false
}

/** Values of `Accept`, and whether a list of CSV has one of them. */
export const accepted: Readonly<Record<string, boolean>> = {
  "*/*": true,
  "application/json": true,
  "text/csv": true,
  "text/csv;q=0.1, application/json": true,
  "image/png": false,
  "application/json;q=0": false
}

const headerValues: Readonly<Record<string, ReadonlyArray<string>>> = {
  "if-match": ["*", '"1"', '"1", W/"2"', '"99"', '""', "1", '"', '"a" "b"', "W/1", "*, *", `"${"x".repeat(2_000)}"`],
  "idempotency-key": ["k1", "k2", "~", "x".repeat(255), "x".repeat(256), "a b", "é", '"quoted"'],
  "if-none-match": ["*", '"x"', "x"],
  "accept-encoding": ["gzip", "br;q=1.0, *;q=0", "identity;q=0", "x"]
}

type Headers = Generated["headers"]

const headerOf = (name: string, values: ReadonlyArray<string>, usual: Headers, weight: number): fc.Arbitrary<Headers> =>
  seldom(
    usual,
    fc.constantFrom(...values).map((value): Headers => ({ [name]: value })),
    weight
  )

const headersOf = ({ parameters, requestBody }: Operation): fc.Arbitrary<Headers> => {
  const own = parameters
    .filter((parameter) => parameter.in === "header")
    .map(({ name }) => headerOf(name, headerValues[name] ?? [], {}, 5))
  const ofBody = [
    headerOf("content-type", Object.keys(contentTypes), { "content-type": "application/json" }, 15),
    headerOf("content-encoding", ["gzip", "identity"], {}, 60)
  ]
  const accept = headerOf("accept", Object.keys(accepted), {}, 8)
  const id = headerOf("x-request-id", ["abcdefgh", "x", "a".repeat(65), "<script>"], {}, 20)
  return fc
    .tuple(...(requestBody === undefined ? [] : ofBody), accept, id, ...own)
    .map((all): Headers => Object.assign({}, ...all))
}

const none: Mutation | undefined = undefined
const aMutation = fc.oneof({ weight: 1, arbitrary: fc.constant(none) }, { weight: 1, arbitrary: mutation })
const textChange = seldom("none", fc.constantFrom(...Object.keys(textChanges)), 20)

const bodyOf = ({ requestBody }: Operation): fc.Arbitrary<Generated["body"]> => {
  if (requestBody === undefined) return fc.constant(undefined)
  const value = valueFor(requestBody.content["application/json"].schema, "")
  const body = fc.tuple(value, aMutation, textChange).map(([value, change, textChange]) => {
    const text = jsonText(change === undefined ? value : mutated(value, change))
    return textChanges[textChange]?.(text) ?? text
  })
  return requestBody.required === false
    ? fc.option(body, { nil: undefined })
    : seldom<Generated["body"]>(undefined, body, 0)
}

const keyOf = seldom<Generated["key"]>("own", fc.constantFrom("none", "wrong", "two"), 60)

const requestOf = (operation: Operation): fc.Arbitrary<Generated> =>
  fc.record({
    line: fc.constant(operation.line),
    method: fc.constant(operation.method),
    path: pathOf(operation),
    query: queryOf(operation),
    headers: headersOf(operation),
    key: keyOf,
    body: bodyOf(operation)
  })

const spelt: ReadonlyArray<(path: string) => string> = [
  (path) => path,
  (path) => `${path}/`,
  (path) => path.replace("/api/", "/api//"),
  (path) => path.toUpperCase(),
  (path) => path.replace("api", "%61pi"),
  (path) => `${path}/x`,
  (path) => path.replace("/api", "/api/."),
  (path) => `${path};a=b`,
  (path) => path.replace("api", "api%2f")
]

const oddRequest = (operations: ReadonlyArray<Operation>): fc.Arbitrary<Generated> =>
  fc
    .tuple(
      fc.constantFrom(...operations),
      fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"),
      fc.constantFrom(...spelt)
    )
    .chain(([operation, method, spell]) =>
      pathOf(operation).map(
        (path): Generated => ({
          ...{ line: "", method, path: spell(path), query: "", headers: {} },
          ...{ key: "own", body: undefined }
        })
      )
    )

/** Any request of these operations; operations with bodies come more often. */
export const requestOfAny = (operations: ReadonlyArray<Operation>): fc.Arbitrary<Generated> =>
  fc.oneof(
    { weight: 3, arbitrary: oddRequest(operations) },
    ...operations.map((operation) => ({
      weight: operation.requestBody === undefined ? (operation.needsKey ? 2 : 1) : 8,
      arbitrary: requestOf(operation)
    }))
  )
