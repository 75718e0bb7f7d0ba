/**
 * Input that violates its schema, as a list of faults.
 */
import { Schema, type SchemaAST, type SchemaIssue } from "effect"
import { redacted, redactedList } from "./Redaction.ts"

/**
 * One fault: its place (`pointer`, RFC 6901, from the root of the input), its kind (`code`) and the
 * expected value (`detail`).
 */
export const Fault = Schema.Struct({
  pointer: Schema.String,
  code: Schema.String,
  detail: Schema.String
})
export type Fault = typeof Fault.Type

/** The whole input is refused; nothing was read or written. */
export class ValidationFailed extends Schema.TaggedError<ValidationFailed>("@solar-sites/core/ValidationFailed")(
  "ValidationFailed",
  { faults: Schema.NonEmptyArray(Fault) }
) {
  readonly code = "validation_failed"

  override get message(): string {
    const textOf = ({ detail, pointer }: Fault) => redacted(`${pointer === "" ? "the whole" : pointer} ${detail}`)
    return `The input is not valid: ${redactedList(this.faults, textOf)}`
  }
}

/** The JSON pointer (RFC 6901) of a path. */
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

// A body of 1 MiB can contain a hundred thousand faults.
const maximumFaults = 1_000

/** The first faults, unique by pointer and code. Stops at the maximum. */
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
      // For "x or null", a value other than null is meant as x. Among several alternatives, the one
      // with the fewest faults is reported.
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
      // `Never` marks members that cannot be sent.
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
 * All faults of a schema issue in the order of the schema, unique by pointer and code; at most
 * 1,000.
 */
export const faultsOf = (issue: SchemaIssue.Issue): readonly [Fault, ...Array<Fault>] => {
  const faults = distinct(walk(issue, []))
  const [first = { pointer: "", code: "invalid_value", detail: "is not valid" }, ...rest] = faults
  return [first, ...rest]
}
