/**
 * What the OpenAPI document says about a list that is served as CSV too.
 */

export const csvText = "With `Accept: text/csv` the answer is CSV."

export const csvContent = { "text/csv": { schema: { type: "string" } } }

export const csvHeaders = {
  link: {
    description: 'Of CSV with a `limit`: the address of the next page, with `rel="next"`.',
    required: false,
    schema: { type: "string" }
  },
  "content-disposition": {
    description: "Of CSV: the name of the file.",
    required: false,
    schema: { type: "string" }
  }
}
