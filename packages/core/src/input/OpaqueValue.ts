/**
 * Values of an input that are not read where they are found.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"

/**
 * Any value, passed on as it is. `Schema.Unknown` would cost a look into every
 * corner of it, since codecs of JSON prove that such a value is JSON.
 *
 * @category schemas
 * @since 0.1.0
 */
export const opaqueValue: Schema.Codec<unknown> = Schema.Any

/**
 * The same, described as what reads it later.
 *
 * @category schemas
 * @since 0.1.0
 */
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
