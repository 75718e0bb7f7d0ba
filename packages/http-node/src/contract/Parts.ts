/**
 * The parts of a request and its response that follow from the row of an operation.
 */
import type { Operation } from "@solar-sites/core/model"
import type { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { EmptyBody, IdempotencyKey, IfMatch, IfNoneMatch, inQuery } from "./Conditions.ts"
import { refusals } from "./Problems.ts"

type Params<Row> = Row extends { readonly names: readonly [{ readonly schema: infer Id }] }
  ? { readonly params: { readonly id: Id } }
  : unknown

type Headers<Row> = Row extends { readonly replay: true }
  ? { readonly headers: typeof IdempotencyKey }
  : Row extends { readonly version: unknown }
    ? { readonly headers: typeof IfMatch }
    : unknown

type Content<Row> = Row extends { readonly kind: "read"; readonly input: { readonly fields: infer Query } }
  ? { readonly query: Query }
  : Row extends { readonly kind: "write"; readonly input: infer Payload }
    ? { readonly payload: Payload }
    : Row extends { readonly replay: true }
      ? { readonly payload: typeof EmptyBody }
      : unknown

type Success<Row> = Row extends { readonly output: infer Output } ? { readonly success: Output } : unknown

type Parts<Row> = Params<Row> & Headers<Row> & Content<Row> & Success<Row> & { readonly error: typeof refusals }

const queryOf = (input: object) => {
  if (!("fields" in input)) throw new TypeError("The input of a read is a struct.")
  return "limit" in Object(input.fields) ? inQuery(input as never) : input.fields
}

const contentOf = ({ input, kind, replay }: Operation) => {
  if (input !== undefined) return kind === "write" ? { payload: input } : { query: queryOf(input) }
  return replay ? { payload: EmptyBody } : {}
}

/** Parts that differ over HTTP are replaced in the endpoint. */
export const partsOf = <const Row extends Operation>(row: Row): Parts<Row> => {
  const { names: [named] = [], output, replay, version } = row
  const parts = {
    ...(named === undefined ? {} : { params: { id: named.schema } }),
    ...(replay ? { headers: IdempotencyKey } : version === undefined ? {} : { headers: IfMatch }),
    ...contentOf(row),
    ...(output === undefined ? {} : { success: output }),
    error: refusals
  }
  // Each part is what the type of the row says, which the type of all rows cannot express.
  return parts as unknown as Parts<Row>
}

/** The parts of a read that answers 304 to a client that has the result. */
export const conditional = <const Read extends { readonly success: Schema.Top }>(parts: Read) => ({
  ...parts,
  headers: IfNoneMatch,
  success: [parts.success, HttpApiSchema.Empty(304)] as const
})
