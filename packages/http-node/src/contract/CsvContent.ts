/**
 * What the OpenAPI document says about a list that is served as CSV too.
 */

export const csvText = "With `Accept: text/csv` the answer is CSV."

export const csvContent = { "text/csv": { schema: { type: "string" } } }

export const csvHeaders = {
  link: {
    description: 'The address of the next page, with `rel="next"`, when a `limit` ends a CSV.',
    required: false,
    schema: { type: "string" }
  },
  "content-disposition": {
    description: "The name of the file, when the answer is CSV.",
    required: false,
    schema: { type: "string" }
  }
}
