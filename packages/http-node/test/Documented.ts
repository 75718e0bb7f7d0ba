/**
 * Holds an answer against the OpenAPI document: its status, headers, media type,
 * body and, of a refusal, its code. By a validator that has nothing to do with
 * what made the document.
 */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { OpenApi } from "effect/http-api"
import { problemMediaType, SolarSitesApi } from "../src/contract/index.ts"

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>
  readonly content?: Readonly<Record<string, { readonly examples?: object }>>
}

interface Documented {
  readonly path: string
  readonly pattern: RegExp
  readonly operations: Readonly<Record<string, { readonly responses: Readonly<Record<string, DocumentedResponse>> }>>
}

/** The document as a client gets it. */
export const document = JSON.parse(JSON.stringify(OpenApi.fromApi(SolarSitesApi)))

/** The endpoints behind a key, by group and name. */
export const endpoints = Object.values(SolarSitesApi.groups).flatMap((group) =>
  Object.values(group.endpoints)
    .filter(({ middlewares }) => middlewares.size > 0)
    .map(({ identifier, method, path }) => {
      const operation = document.paths[path.replace(/:(\w+)/g, "{$1}")][method.toLowerCase()]
      const outsideOfPath = [
        operation.parameters.filter((parameter: { readonly in: string }) => parameter.in === "query"),
        operation.requestBody?.content["application/json"].schema
      ]
      return {
        group: group.identifier,
        name: `${group.identifier}.${identifier}`,
        line: `${method} ${path}`,
        request: operation.requestBody?.content["application/json"].example,
        takesIds: JSON.stringify(outsideOfPath).includes('"format":"uuid"')
      }
    })
)

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const isProblem = ({ headers }: Answer): boolean => headers.get("content-type") === problemMediaType

const mediaType = (text: string): string => text.split(";", 1).join().trim()

/** Judges values by the schemas of this document. */
export const judgeOf = (document: { readonly paths: Readonly<Record<string, Documented["operations"]>> }) => {
  const ajv = new Ajv2020({ allErrors: true, strict: false, strictNumbers: true })
  addFormats.default(ajv)
  ajv.addSchema(document, "openapi.json")

  // Fixed paths come before those with a parameter, as they do on the server.
  const paths: ReadonlyArray<Documented> = Object.entries<Documented["operations"]>(document.paths)
    .map(([path, operations]) => ({
      path,
      pattern: new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
      operations
    }))
    .sort((a, b) => Number(a.path.includes("{")) - Number(b.path.includes("{")))

  const validators = new Map<string, ValidateFunction>()

  /** Faults of a value by the schema at this path of the document, such as `["components", "schemas", "Site"]`. */
  const faultsAt = (place: ReadonlyArray<string>, value: unknown): ReadonlyArray<string> => {
    const pointer = place.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")
    let validate = validators.get(pointer)
    if (validate === undefined) {
      validate = ajv.compile({ $ref: `openapi.json#/${pointer}` })
      validators.set(pointer, validate)
    }
    return validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }

  const faultsOfProblem = (text: string): ReadonlyArray<string> =>
    faultsAt(["components", "schemas", "Problem"], JSON.parse(text))

  /** Differences of a response from the document; none for a path that the document does not have. */
  const undocumented = (method: string, path: string, answer: Answer): ReadonlyArray<string> => {
    const { headers, status, text } = answer
    const found = paths.find(({ pattern }) => pattern.test(path))
    const verb = method.toLowerCase()
    const operation = found?.operations[verb === "head" ? "get" : verb]
    const code = isProblem(answer) && text !== "" ? JSON.parse(text).code : undefined
    if (found === undefined || operation === undefined || code === "route_not_found") {
      return code === undefined ? [] : faultsOfProblem(text)
    }
    const response = operation.responses[status]
    if (response === undefined) return [`status ${status} (${code})`]
    const missing = Object.entries(response.headers ?? {})
      .filter(([name, { required }]) => required === true && !headers.has(name))
      .map(([name]) => `no header ${name}`)
    if (method === "HEAD" || response.content === undefined) return text === "" ? missing : [...missing, "a body"]
    const type = mediaType(headers.get("content-type") ?? "")
    const [media] = Object.entries(response.content).find(([documented]) => mediaType(documented) === type) ?? []
    if (media === undefined) return [...missing, `media type ${type}`]
    const place = ["paths", found.path, verb, "responses", `${status}`, "content", media, "schema"]
    const faults = [...missing, ...faultsAt(place, /json/.test(type) ? JSON.parse(text) : text)]
    if (code === undefined || code in Object(response.content[media]?.examples)) return faults
    return [...faults, `code ${code}`]
  }
  return { faultsAt, undocumented }
}

export const { undocumented } = judgeOf(document)
