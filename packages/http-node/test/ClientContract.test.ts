import { expect, it } from "vitest"
import { makeClient } from "../src/client/index.ts"
import { scripted, success } from "./ClientSetup.ts"
import { endpoints } from "./Documented.ts"

const id = "0197a3b0-7c1e-7000-8000-000000000001"

/** Endpoints whose method of the client has another name. */
const otherNames: Readonly<Record<string, string>> = { "portfolios.create": "createMany" }

/** A method by the name of its endpoint, which only the contract knows. */
const methodOf = (client: object, group: string, name: string): ((...args: ReadonlyArray<unknown>) => unknown) => {
  const holder = Reflect.get(client, group) ?? client
  return Reflect.get(holder, otherNames[`${group}.${name}`] ?? name)
}

it.each(endpoints)("the client has a method for $name, which sends $line", async ({ line, name: endpoint }) => {
  const [group = "", name = ""] = endpoint.split(".")
  const { fetch, seen } = scripted(success({ data: [], nextCursor: null }))
  const client = makeClient({ baseUrl: "http://localhost", apiKey: "key", fetch })
  await methodOf(client, group, name)(...(line.match(/:\w+/g) ?? []).map(() => id))
  const [request] = seen
  expect(request?.line).toBe(line.replaceAll(/:\w+/g, id))
  expect(request?.headers.has("idempotency-key")).toBe(line.startsWith("POST "))
})

it("the contract has operations for callers", () => {
  expect(endpoints.length).toBeGreaterThanOrEqual(21)
})
