/** Options of an import in the query of its requests. */
import { faultsOf, ValidationFailed } from "@solar-sites/core"
import type { HostEndpointRequest } from "@solar-sites/http-node"
import { Effect, Schema } from "effect"
import { targetNamed } from "../../import/Columns.ts"
import { maximumColumns, maximumHeader } from "../../import/TableLimits.ts"

/** Postgres stores no other text. */
const Storable = Schema.String.check(
  Schema.makeFilter((text: string) => text.isWellFormed() && !text.includes("\0"), {
    message: "must not hold NUL or lone surrogates",
    faultCode: "forbidden_character"
  })
)

const Target = Storable.check(
  Schema.makeFilter((name: string) => name === "-" || targetNamed(name) !== undefined, {
    message: "must be a member of a site, attributes.NAME, or -"
  })
)

const Options = Schema.Struct({
  fileName: Storable.check(Schema.isMinLength(1), Schema.isMaxLength(255)),
  upsert: Schema.Boolean,
  mappings: Schema.Array(
    Schema.Struct({ column: Storable.check(Schema.isMaxLength(maximumHeader)), target: Target })
  ).check(Schema.isMaxLength(maximumColumns))
})

const decodeOptions = Schema.decodeUnknownEffect(Schema.fromJsonString(Options), {
  errors: "all",
  onExcessProperty: "error"
})

/** The parameter `options` of the query, as JSON. */
export const readOptions = ({ request }: HostEndpointRequest) => {
  const query = new URL(request.url, "http://localhost").searchParams
  return decodeOptions(query.get("options") ?? "").pipe(
    Effect.mapError(({ issue }) => new ValidationFailed({ faults: faultsOf(issue) })),
    Effect.map(({ mappings, ...options }) => ({
      ...options,
      mappings: mappings.map(({ column, target }) => ({
        column,
        target: target === "-" ? null : (targetNamed(target) ?? null)
      }))
    }))
  )
}
