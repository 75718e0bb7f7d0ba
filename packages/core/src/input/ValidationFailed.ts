/**
 * Input that does not fit its schema, told fault by fault.
 *
 * @since 0.1.0
 */
import { Schema, type SchemaAST, type SchemaIssue } from "effect"
import { redacted, redactedList } from "./Redaction.ts"

/**
 * One fault: where it is (`pointer`, RFC 6901, from the root of what was sent),
 * which kind it is (`code`) and what would be right (`detail`).
 *
 * @category models
 * @since 0.1.0
 */
export const Fault = Schema.Struct({
  pointer: Schema.String,
  code: Schema.String,
  detail: Schema.String
})
export type Fault = typeof Fault.Type

/**
 * The input was refused as a whole; nothing was read or written.
 *
 * @category errors
 * @since 0.1.0
 */
export class ValidationFailed extends Schema.TaggedError<ValidationFailed>("@solar-sites/core/ValidationFailed")(
  "ValidationFailed",
  { faults: Schema.NonEmptyArray(Fault) }
) {
  readonly code = "validation_failed"

  override get message(): string {
    const told = ({ detail, pointer }: Fault) => redacted(`${pointer === "" ? "the whole" : pointer} ${detail}`)
    return `The input is not valid: ${redactedList(this.faults, told)}`
  }
}

/**
 * A JSON pointer (RFC 6901) to the member that a path leads to.
 *
 * @category formatting
 * @since 0.1.0
 */
export const pointerTo = (path: ReadonlyArray<PropertyKey>): string =>
  path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")

const annotated = (annotations: Record<string, unknown> | undefined, key: string): string | undefined => {
  const value = annotations?.[key]
  return typeof value === "string" ? value : undefined
}

const expectedOf = (ast: SchemaAST.AST): string => {
  const expected = annotated(ast.annotations, "expected")
  if (expected !== undefined) return expected
  switch (ast._tag) {
    case "Objects":
      return "an object"
    case "Arrays":
      return "an array"
    case "Null":
      return "null"
    case "Literal":
      return JSON.stringify(ast.literal)
    case "Union":
      return [...new Set(ast.types.map(expectedOf))].join(" or ")
    default:
      return `a ${ast._tag.toLowerCase()}`
  }
}

const isOfType = (issue: SchemaIssue.Issue, tag: SchemaAST.AST["_tag"]): boolean =>
  (issue._tag === "InvalidType" && issue.ast._tag === tag) || (issue._tag === "Encoding" && isOfType(issue.issue, tag))

// A body of one mebibyte can hold a hundred thousand faults; nobody reads more than these.
const maximumFaults = 1_000

/** The first faults, each place and code once. No more are looked for than are kept. */
const distinct = (faults: Iterable<Fault>): Array<Fault> => {
  const kept = new Map<string, Fault>()
  for (const fault of faults) {
    const key = `${fault.pointer} ${fault.code}`
    if (!kept.has(key)) kept.set(key, fault)
    if (kept.size === maximumFaults) break
  }
  return [...kept.values()]
}

function* walk(
  issue: SchemaIssue.Issue,
  path: ReadonlyArray<PropertyKey>,
  given?: Omit<Fault, "pointer">
): Generator<Fault, void> {
  const fault = (code: string, detail: string): Fault => ({ pointer: pointerTo(path), code, detail, ...given })
  const unknownMember = () => fault("unknown_member", "is not a member that can be sent here")
  switch (issue._tag) {
    case "Pointer":
      return yield* walk(issue.issue, [...path, ...issue.path], given)
    case "Encoding":
      return yield* walk(issue.issue, path, given)
    case "Composite":
      for (const inner of issue.issues) yield* walk(inner, path, given)
      return
    case "Filter": {
      const { annotations } = issue.filter
      const detail = annotated(annotations, "message") ?? `must be ${annotated(annotations, "expected") ?? "valid"}`
      return yield* walk(
        issue.issue,
        path,
        given ?? { code: annotated(annotations, "faultCode") ?? "invalid_value", detail }
      )
    }
    case "AnyOf": {
      // "x or null": whoever sent something else than null meant x. Of several alternatives the one with
      // the fewest faults was meant.
      const others = issue.issues.filter((inner) => !isOfType(inner, "Null"))
      const meant = others.map((inner) => distinct(walk(inner, path, given)))
      const [nearest] = meant.toSorted((a, b) => a.length - b.length)
      if (nearest !== undefined) return yield* nearest
      const literal = issue.ast.types.every((type) => type._tag === "Literal" || type._tag === "Null")
      return yield fault(literal ? "invalid_value" : "invalid_type", `must be ${expectedOf(issue.ast)}`)
    }
    case "MissingKey":
      return yield fault("required", "is required")
    case "UnexpectedKey":
      return yield unknownMember()
    case "InvalidType":
      // No value is right where the schema is never: there it names members that cannot be sent.
      if (issue.ast._tag === "Never") return yield unknownMember()
      return yield issue.ast._tag === "Literal"
        ? fault("invalid_value", `must be ${expectedOf(issue.ast)}`)
        : fault("invalid_type", `must be ${expectedOf(issue.ast)}`)
    case "OneOf":
      return yield fault("invalid_value", `must be exactly one of ${expectedOf(issue.ast)}`)
    default:
      return yield fault("invalid_value", annotated(issue.annotations, "message") ?? "is not valid")
  }
}

/**
 * Every fault of a schema issue, in the order of the schema, each place and
 * code once; of more than 1,000 the first ones.
 *
 * @category formatting
 * @since 0.1.0
 */
export const faultsOf = (issue: SchemaIssue.Issue): readonly [Fault, ...Array<Fault>] => {
  const faults = distinct(walk(issue, []))
  const [first = { pointer: "", code: "invalid_value", detail: "is not valid" }, ...rest] = faults
  return [first, ...rest]
}
