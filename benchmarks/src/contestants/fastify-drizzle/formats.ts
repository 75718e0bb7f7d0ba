/**
 * JSON schemas of single values.
 */
const guid = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
// No control characters, lone surrogates or characters that reorder the text around them.
const plain = "[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]"

export const uuid = { type: "string", pattern: guid }
export const orNull = <Schema extends { readonly type: string }>(schema: Schema) => ({
  ...schema,
  type: [schema.type, "null"]
})
export const text = (minLength: number, maxLength: number) => ({
  type: "string",
  minLength,
  maxLength,
  pattern: `^${plain}*$`
})
/** Contains a character that is not white space. */
export const name = { ...text(1, 200), pattern: `^(?=.*\\S)${plain}*$` }

export const instant = { type: "string", format: "date-time" }
export const string = { type: "string" }
export const number = { type: "number" }
