import { OpenApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { problems, SolarSitesApi } from "../../src/contract/index.ts"

const document = OpenApi.fromApi(SolarSitesApi)

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  (["get", "post", "put", "delete"] as const).flatMap((method) => {
    const operation = item[method]
    return operation === undefined ? [] : [{ line: `${method.toUpperCase()} ${path}`, method, operation }]
  })
)

const codesOf = (responses: object) =>
  Object.keys(problems).filter((code) => JSON.stringify(responses).includes(`"${code}"`))

describe("the header Idempotency-Key in the OpenAPI document", () => {
  it.each(operations.map((each) => [each.line, each] as const))(
    "is where it should be: %s",
    (_, { method, operation }) => {
      const parameter = operation.parameters.find(({ name }) => name === "idempotency-key")
      const codes = codesOf(operation.responses)
      const refusals = ["idempotency_key_in_use", "idempotency_key_reused"]
      if (method !== "post") {
        expect(parameter).toBe(undefined)
        expect(codes).not.toEqual(expect.arrayContaining(refusals))
        return
      }
      expect(parameter).toMatchObject({ in: "header", required: false, schema: { type: "string" } })
      expect(codes).toEqual(expect.arrayContaining([...refusals, "invalid_header"]))
      const [success] = Object.entries(operation.responses).filter(([status]) => Number(status) < 300)
      expect(success?.[1]).toMatchObject({ headers: { "idempotency-replayed": { required: false } } })
      expect(operation.responses[409]).toMatchObject({ headers: { "retry-after": { required: false } } })
      expect(JSON.stringify(operation.responses[400])).toContain('"/idempotency-key"')
    }
  )
})
