/** Shared by endpoints: conditional and repeatable requests, lists, and annotations for the server. */
import { type Access, idempotencyKeyHours } from "@solar-sites/core/model"
import { Context, Option, Schema } from "effect"
import { maximumBodyBytes } from "./BodyLimits.ts"
import type { ProblemCode } from "./Problems.ts"

// Only patterns of Unicode are shown in the OpenAPI document.
const entityTag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"'

/** The body of an operation without input: absent, or an object without members. */
export const EmptyBody = Schema.Record(Schema.String, Schema.Never)

/** The header `If-Match` (RFC 9110): `*`, or entity tags as they came in `ETag`. */
export const IfMatch = Schema.Struct({
  "if-match": Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(new RegExp(`^\\s*(?:\\*|${entityTag}(?:\\s*,\\s*${entityTag})*)\\s*$`, "u"), {
        message: 'must be * or entity tags such as "3"',
        faultCode: "invalid_entity_tag"
      })
    ).annotate({ description: 'Change the resource only in this version, such as "3".' })
  )
})

/** The header `If-None-Match` (RFC 9110): `*`, or entity tags as they came in `ETag`. Other texts match nothing. */
export const IfNoneMatch = Schema.Struct({
  "if-none-match": Schema.optionalKey(
    Schema.String.annotate({
      description: "Entity tags of the answers that the client has. The answer is 304 when one of them is current."
    })
  )
})

/**
 * The header `Idempotency-Key`: the first response is stored for a day and returned again
 * when its caller repeats the request (specification, section 3).
 */
export const IdempotencyKey = Schema.Struct({
  "idempotency-key": Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[\x21-\x7e]{1,255}$/u, {
        message: "must be 1 to 255 visible ASCII characters",
        faultCode: "invalid_idempotency_key"
      })
    ).annotate({
      description: `Makes repeating safe: the first successful answer is kept for ${idempotencyKeyHours} hours and given again when the same caller (API key or user) repeats the same request with the same key. Choose a new one, such as a UUID, for every request that is meant to do something new.`
    })
  )
})

/**
 * The query of a list. Its `limit` is a number that the list accepts, in one spelling: not `05`,
 * `1.0` or `1e2`.
 */
export const inQuery = <Fields extends { readonly limit: Schema.optionalKey<Schema.Codec<number>> }>({
  fields
}: {
  readonly fields: Fields
}): Fields => {
  const fromText = Schema.toCodecStringTree(fields.limit.schema)
  const decode = Schema.decodeUnknownOption(fromText)
  const limit = Schema.String.check(
    // A text that is no limit at all has the fault of the list.
    Schema.makeFilter((text: string) => Option.isNone(decode(text)) || String(Number(text)) === text, {
      message: "must be a whole number in decimal digits, without a sign or leading zeros",
      faultCode: "invalid_type"
    })
  ).pipe(Schema.decodeTo(fromText))
  // In a query the encoded side of every field is text.
  return { ...fields, limit: Schema.optionalKey(limit) } as unknown as Fields
}

/** True of an endpoint with an optional body. */
export const BodyOptional = Context.Reference<boolean>("@solar-sites/http-node/BodyOptional", {
  defaultValue: () => false
})

/** Largest body of an endpoint, in bytes. */
export const MaximumBody = Context.Reference<number>("@solar-sites/http-node/MaximumBody", {
  defaultValue: () => maximumBodyBytes
})

/**
 * True of an endpoint with responses that may be compressed: they hold no secret, such as a key, a
 * token or an upload address, beside input of another origin (BREACH).
 */
export const Compressible = Context.Reference<boolean>("@solar-sites/http-node/Compressible", {
  defaultValue: () => false
})

/** What the access of a caller to an endpoint depends on. */
export const EndpointAccess = Context.Reference<Access>("@solar-sites/http-node/EndpointAccess", {
  defaultValue: () => ({ scopes: [] })
})

/** The refusal of an `{id}` in the path that is no id. */
export class PathResource extends Context.Service<PathResource, ProblemCode>()("@solar-sites/http-node/PathResource") {}

/** What the description of a list says about search and order. */
export const finding = (texts: string): string =>
  `Each word of \`q\` must occur in ${texts}, without regard to case and accents. \`updatedAfter\` is exclusive. \`sort\` and \`order\` choose another order; names are sorted by the code points of their folded form. A cursor belongs to one order and one set of conditions. Without \`limit\` the list is complete.`
