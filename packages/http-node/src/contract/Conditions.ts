/**
 * What endpoints share: conditional requests, how a list is answered, and what
 * the server has to know of an endpoint beyond its schemas.
 *
 * @since 0.1.0
 */
import { Context, Schema } from "effect"
import type { ProblemCode } from "./Problems.ts"

const entityTag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"'

/**
 * The header `If-Match` (RFC 9110): `*`, or entity tags as they came in `ETag`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const IfMatch = Schema.Struct({
  "if-match": Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(new RegExp(`^\\s*(?:\\*|${entityTag}(?:\\s*,\\s*${entityTag})*)\\s*$`), {
        message: 'must be * or entity tags such as "3"',
        faultCode: "invalid_entity_tag"
      })
    ).annotate({ description: 'Change the resource only in this version, such as "3".' })
  )
})

/**
 * A page, or the whole: `nextCursor` is null when nothing follows.
 *
 * @category schemas
 * @since 0.1.0
 */
export const listOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({ data: Schema.Array(item), nextCursor: Schema.NullOr(Schema.String) })

/**
 * True of an endpoint whose body may be missing.
 *
 * @category annotations
 * @since 0.1.0
 */
export const BodyOptional = Context.Reference<boolean>("@solar-sites/http-node/BodyOptional", {
  defaultValue: () => false
})

/**
 * Which refusal an `{id}` in the path gets when it is no id at all.
 *
 * @category annotations
 * @since 0.1.0
 */
export class PathResource extends Context.Service<PathResource, ProblemCode>()("@solar-sites/http-node/PathResource") {}
