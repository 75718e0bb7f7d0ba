import { describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { webBinding } from "./Setup.ts"

describe("the limit of a list", () => {
  const { send } = useServer(webBinding)

  it.each(["05", "1.0", "1e2", "%2B5", "%205", "0x10", "", "-0", "5,", "five", "1001", "0"])(
    "is not %j",
    async (limit) => {
      for (const path of ["/api/sites", "/api/portfolios", "/api/portfolios/with-sites", "/api/docs"]) {
        const { json, status } = await send(`GET ${path}?limit=${limit}`)
        expect([status, json.code]).toEqual([400, "validation_failed"])
        expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(["/limit"])
      }
    }
  )

  it.each(["1", "5", "100"])("can be %j", async (limit) => {
    for (const path of ["/api/sites", "/api/portfolios", "/api/portfolios/with-sites", "/api/docs"]) {
      expect((await send(`GET ${path}?limit=${limit}`)).status).toBe(200)
    }
  })
})
