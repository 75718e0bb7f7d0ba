/**
 * Values of input that are passed on without validation.
 */
import { Schema } from "effect"

/**
 * Any value. `Schema.Unknown` would traverse the whole value, because JSON codecs verify that it is
 * JSON.
 */
export const opaqueValue: Schema.Codec<unknown> = Schema.Any

/** Any value, with the JSON Schema of the schema that validates it later. */
export const opaqueAs = <S extends Schema.Constraint>(schema: S): Schema.Codec<S["Encoded"]> =>
  Schema.Any.check(
    Schema.makeFilter(() => true, {
      representation: {
        id: "@solar-sites/core/opaqueAs",
        payload: null,
        schemas: [Schema.toEncoded(Schema.toCodecJson(schema)).ast]
      },
      toJsonSchema: ({ schemas: [described = {}] }) => described
    })
  )
