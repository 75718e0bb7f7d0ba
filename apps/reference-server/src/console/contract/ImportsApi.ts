/** Imports of sites from files: columns, check, import, and the latest imports. The body is the file, as it is. */
import { PortfolioId, UserId } from "@solar-sites/core"
import { Schema, SchemaTransformation } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { targetNamed } from "../../import/Columns.ts"
import { maximumColumns, maximumHeader } from "../../import/TableLimits.ts"
import { all, LeastRole } from "./Parts.ts"

const path = "/console/imports"

const count = Schema.Finite
const text = Schema.NullOr(Schema.String)

/** `row` 1 is the header. `column` is the header in the file; null for the whole row. */
const ImportFault = Schema.Struct({ row: count, column: text, code: Schema.String, detail: Schema.String })

/**
 * `index` counts from 0: two columns can have the same header. `target` is the member that the column holds; null for an
 * unknown header, which may mean `suggestion`.
 */
const FileColumn = Schema.Struct({
  index: count,
  header: Schema.String,
  target: text,
  unit: text,
  suggestion: text,
  samples: Schema.Array(Schema.String)
})

/** `members` are all that a column can hold, besides `attributes.NAME`. */
const FileColumns = Schema.Struct({
  columns: Schema.Array(FileColumn),
  members: Schema.Array(Schema.String),
  faults: Schema.Array(ImportFault)
})

const counts = { created: count, updated: count, unchanged: count }

/** `faults` are the first 1,000 of `faultCount`; `report` has them as CSV. */
const ImportCheck = Schema.Struct({
  ...counts,
  importId: Schema.String,
  faults: Schema.Array(ImportFault),
  faultCount: count,
  report: text
})

/** `stopped`: the server was stopped. Rows up to `storedRow` are stored, of `checkedRow` in the file. */
const SiteImport = Schema.Struct({
  ...counts,
  id: Schema.String,
  userId: UserId,
  fileName: Schema.String,
  upsert: Schema.Boolean,
  mappings: Schema.Array(Schema.Struct({ column: Schema.String, target: Schema.String })),
  portfolioId: Schema.optionalKey(PortfolioId),
  state: Schema.Literals(["running", "completed", "failed", "stopped"]),
  problem: text,
  checkedRow: count,
  storedRow: count,
  startedAt: Schema.String,
  updatedAt: Schema.String
})

/** Postgres stores no other text. */
const Storable = Schema.String.check(
  Schema.makeFilter((text: string) => text.isWellFormed() && !text.includes("\0"), {
    message: "must not hold NUL or lone surrogates",
    faultCode: "forbidden_character"
  })
)

/** The target `-` leaves a column out. */
const leftOut = "-"

const Target = Storable.check(
  Schema.makeFilter((name: string) => name === leftOut || targetNamed(name) !== undefined, {
    message: "must be a member of a site, attributes.NAME, or -"
  })
).pipe(
  Schema.decodeTo(
    Schema.NullOr(Schema.String),
    SchemaTransformation.transform({
      decode: (name: string) => (name === leftOut ? null : (targetNamed(name) ?? null)),
      encode: (target: string | null) => target ?? leftOut
    })
  )
)

const ImportOptions = Schema.Struct({
  fileName: Storable.check(Schema.isMinLength(1), Schema.isMaxLength(255)),
  upsert: Schema.Boolean,
  // The portfolio of new sites, unless their rows name one.
  portfolioId: Schema.optionalKey(PortfolioId),
  mappings: Schema.Array(
    Schema.Struct({ column: Storable.check(Schema.isMaxLength(maximumHeader)), target: Target })
  ).check(Schema.isMaxLength(maximumColumns))
})

export type ImportOptions = typeof ImportOptions.Type

const query = { options: Schema.fromJsonString(ImportOptions) }

const MarkedFile = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" }))

/** Requests with a file. Each needs a free place before its body is read. */
export class ImportFilesApi extends HttpApiGroup.make("importFiles")
  .add(
    HttpApiEndpoint.post("columns", `${path}/columns`, { success: FileColumns }),
    HttpApiEndpoint.post("check", `${path}/check`, { query, success: ImportCheck }),
    // The file as CSV, with a column that names the faults of each row.
    HttpApiEndpoint.post("markFaults", `${path}/faults`, { query, success: MarkedFile }),
    HttpApiEndpoint.put("start", `${path}/:id`, { params: { id: Schema.String }, query, success: SiteImport })
  )
  .annotateEndpoints(LeastRole, "member") {}

export class ImportsApi extends HttpApiGroup.make("imports").add(
  HttpApiEndpoint.get("list", path, { success: all(SiteImport) }).annotate(LeastRole, "member")
) {}
