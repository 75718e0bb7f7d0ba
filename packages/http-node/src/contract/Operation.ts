/** What the OpenAPI document says about one operation beyond its schemas. */
import { maximumPageSize, type Operation } from "@solar-sites/core/model"
import { Context } from "effect"
import { OpenApi } from "effect/http-api"
import { authenticationProblems } from "./Authentication.ts"
import { BodyOptional, Compressible, EndpointAccess, MaximumBody } from "./Conditions.ts"
import { csvContent, csvHeaders, csvText } from "./CsvContent.ts"
import { isRepeatable, limitHeaders, problemResponses, replayedHeader, sharedHeaders } from "./ProblemAnswers.ts"
import type { ProblemCode } from "./Problems.ts"

// Refusals that every operation behind a key shares.
const commonProblems = ["rate_limited", "internal", "database_unavailable", "overloaded", "shutting_down"] as const

/** Refusals of every operation that reads a body. */
const bodyProblems = ["unsupported_media_type", "body_too_large", "malformed_json", "validation_failed"] as const

/** The refusals of an `If-Match`. */
const ifMatchProblems = ["invalid_header", "precondition_failed"] as const

/** The refusals of an `Idempotency-Key`. */
const idempotencyProblems = ["invalid_header", "idempotency_key_reused", "idempotency_key_in_use"] as const

const bodyTagHeader = {
  etag: {
    description:
      "A weak tag of the answer, for clients that send Accept-Encoding or If-None-Match. A list that is streamed has none.",
    required: false,
    schema: { type: "string" }
  }
}

const withCsv = (response: object, { csv = false }: Description): object =>
  csv && "content" in response ? { ...response, content: { ...asObject(response.content), ...csvContent } } : response

const withExample = <A extends object>(holder: A, example: unknown): A => {
  if (example === undefined || !("content" in holder) || !isObject(holder.content)) return holder
  const content = Object.entries(holder.content).map(([type, media]) => [type, { ...asObject(media), example }])
  return { ...holder, content: Object.fromEntries(content) }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null
const asObject = (value: unknown): object => (isObject(value) ? value : {})

const ofLimit = "A page of large items can have fewer. More follow while `nextCursor` is set."
const asLimit = (parameter: object, maximum: number): object =>
  "name" in parameter && parameter.name === "limit"
    ? { ...parameter, description: ofLimit, schema: { type: "integer", minimum: 1, maximum } }
    : parameter

/** What an endpoint says about its operation. */
interface Description {
  readonly id: string
  readonly summary: string
  readonly description?: string
  /** The largest `limit`. */
  readonly pageSize?: number
  /** Example bodies. */
  readonly request?: unknown
  readonly response?: unknown
  /** True when the body may be missing; the server reads it so. An operation without input takes it so anyway. */
  readonly bodyOptional?: boolean
  /** Largest body in bytes; 1 MiB by default. */
  readonly maximumBody?: number
  /** True of a list that is served as CSV too. */
  readonly csv?: boolean
  /** True when responses may be compressed; they hold no secret then. */
  readonly compressible?: boolean
  /** The headers of a success, and what they say. */
  readonly responseHeaders?: Readonly<Record<string, string>>
}

const needsScopes = ({ scopes, scopesOf }: Operation): boolean => scopes.length > 0 || scopesOf !== undefined

/** Sentences about scopes, for the description. */
const scopeText = ({ scopes, scopesOf }: Operation): string =>
  [
    ...(scopes.length === 0 ? [] : [`Needs ${scopes.map((scope) => `\`${scope}\``).join(" and ")}.`]),
    ...(scopesOf === undefined ? [] : ["Which further scopes it needs depends on the body."])
  ].join(" ")

/** A row with refusals that have codes of the contract. */
type Row = Operation & { readonly refusals: ReadonlyArray<ProblemCode> }

/** The refusal of callers that are limited to portfolios. */
const limitProblems = ({ limited, limitedInput }: Operation): ReadonlyArray<ProblemCode> => {
  const refusal = limitedInput === undefined ? limited : "portfolio_required"
  return refusal === undefined ? [] : [refusal]
}

/** The refusals of an operation behind a key. */
const problemsOf = (row: Row, csv: boolean): ReadonlyArray<ProblemCode> => [
  ...authenticationProblems,
  ...commonProblems,
  ...(needsScopes(row) ? (["scope_missing"] as const) : []),
  ...limitProblems(row),
  ...(csv ? (["not_acceptable"] as const) : []),
  ...(row.replay || (row.kind === "write" && row.input) ? bodyProblems : (["validation_failed"] as const)),
  ...(row.replay ? idempotencyProblems : []),
  ...(row.version ? ifMatchProblems : []),
  ...row.refusals
]

const annotationsOf = (options: Description, codes: ReadonlyArray<ProblemCode>): Context.Context<never> => {
  const { description = "" } = options
  const described = Object.entries(options.responseHeaders ?? {}).map(([name, description]) => [
    name,
    { description, required: true, schema: { type: "string" } }
  ])
  const headers = {
    ...sharedHeaders,
    ...(options.csv ? csvHeaders : {}),
    ...Object.fromEntries(described),
    ...(isRepeatable(codes) ? replayedHeader : {}),
    ...(codes.includes("rate_limited") ? limitHeaders : {})
  }
  const success = (responses: object) =>
    Object.entries(responses)
      .filter(([status]) => Number(status) < 400)
      .map(([status, response]) => {
        const description = status === "304" ? "Not modified: the client has the current answer." : options.summary
        const tag = "304" in responses ? bodyTagHeader : {}
        const documented = { ...asObject(response), description, headers: { ...tag, ...headers } }
        return [status, withCsv(withExample(documented, options.response), options)]
      })
  const annotations = OpenApi.annotations({
    identifier: options.id,
    summary: options.summary,
    description: description === "" ? undefined : description,
    transform: ({ parameters, requestBody, responses, ...rest }) => ({
      ...rest,
      parameters: parameters.map((parameter: object) => asLimit(parameter, options.pageSize ?? maximumPageSize)),
      ...(isObject(requestBody)
        ? { requestBody: withExample({ ...requestBody, required: !options.bodyOptional }, options.request) }
        : {}),
      responses: { ...Object.fromEntries(success(responses)), ...problemResponses(codes) }
    })
  })
  const annotated = annotations.pipe(
    Context.add(BodyOptional, options.bodyOptional ?? false),
    Context.add(Compressible, options.compressible ?? false)
  )
  return options.maximumBody === undefined ? annotated : Context.add(annotated, MaximumBody, options.maximumBody)
}

/** The annotations of an operation behind a key. */
export const operation = (row: Row, options: Description): Context.Context<never> => {
  const isBare = row.replay === true && row.input === undefined
  const text = [options.description ?? "", options.csv ? csvText : "", scopeText(row)].filter((text) => text !== "")
  return Context.add(
    annotationsOf(
      {
        ...options,
        description: text.join(" "),
        ...(isBare ? { bodyOptional: true, request: {} } : {})
      },
      problemsOf(row, options.csv ?? false)
    ),
    EndpointAccess,
    row
  )
}

/** The annotations of an operation without a key, which `problems` alone can refuse. */
export const openOperation = ({
  problems = [],
  ...options
}: Description & { readonly problems?: ReadonlyArray<ProblemCode> }): Context.Context<never> =>
  annotationsOf(options, problems)
