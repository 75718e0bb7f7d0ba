/**
 * Operations of an OpenAPI document, and a judge of their requests and answers.
 */
import { judgeOf } from "../../../packages/http-node/test/Documented.ts"

/** A schema as it stands in the document. */
export interface JsonSchema {
  readonly type?: string
  readonly enum?: ReadonlyArray<string>
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly readOnly?: boolean
}

interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly schema: JsonSchema
}

interface Described {
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: { readonly "application/json": { readonly schema: JsonSchema } }
  }
  readonly responses: Readonly<Record<string, object>>
  readonly security?: ReadonlyArray<object>
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

export interface Operation extends Described {
  /** Such as `PUT /api/sites/{id}`. */
  readonly line: string
  readonly method: string
  readonly path: string
  readonly needsKey: boolean
  /** Whether it is a list that is served as CSV too. */
  readonly hasCsv: boolean
  /** Faults of a parsed body. */
  readonly faultsOfBody: (body: unknown) => ReadonlyArray<string>
  /** Faults of a parameter by its position. */
  readonly faultsOfParameter: (index: number, value: unknown) => ReadonlyArray<string>
}

export const contractOf = (document: OpenApiDocument) => {
  const { faultsAt, undocumented } = judgeOf(document)
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, described]): Operation => {
      const place = ["paths", path, verb]
      return {
        ...described,
        line: `${verb.toUpperCase()} ${path}`,
        method: verb.toUpperCase(),
        path,
        hasCsv: JSON.stringify(described.responses).includes('"text/csv'),
        needsKey: (described.security ?? []).length > 0,
        faultsOfBody: (body) => faultsAt([...place, "requestBody", "content", "application/json", "schema"], body),
        faultsOfParameter: (index, value) => faultsAt([...place, "parameters", String(index), "schema"], value)
      }
    })
  )
  return { operations, byLine: new Map(operations.map((operation) => [operation.line, operation])), undocumented }
}

export type Contract = ReturnType<typeof contractOf>
