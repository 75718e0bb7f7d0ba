import { SolarSitesProblem } from "@solar-sites/http-node/client"
import { describe, expect, it } from "vitest"
import { batchesOf, moveBatch } from "../../src/sites/siteBatches.ts"

const site = (id: string) => ({ id, siteName: id, portfolioId: null, tags: [], version: 1 })

const refusal = (...pointers: ReadonlyArray<string>) =>
  new SolarSitesProblem(
    {
      type: "",
      title: "Site not found",
      status: 404,
      detail: "Your organisation has no such site.",
      code: "site_not_found",
      requestId: "request-1",
      errors: pointers.map((pointer) => ({ pointer, code: "not_found", detail: "does not exist" }))
    },
    { what: "POST /console/api/portfolios/1/sites", attempts: 1 },
    null
  )

describe("moving many sites", () => {
  it("takes 1,000 sites per request", () => {
    const sites = Array.from({ length: 2_500 }, (_, index) => site(`${index}`))
    const batches = batchesOf(sites)
    expect(batches.map(({ length }) => length)).toEqual([1_000, 1_000, 500])
    expect(batches.flat()).toEqual(sites)
  })

  it("moves the others when some were deleted meanwhile", async () => {
    const moves: Array<ReadonlyArray<string>> = []
    await moveBatch(["a", "b", "c", "d"].map(site), async (ids) => {
      moves.push(ids)
      if (ids.includes("b")) throw refusal("/siteIds/1", "/siteIds/3")
    })
    expect(moves).toEqual([
      ["a", "b", "c", "d"],
      ["a", "c"]
    ])
  })

  it("sends nothing more when all were deleted, and fails on any other refusal", async () => {
    let calls = 0
    const refuse = (error: unknown) => async () => {
      calls += 1
      throw error
    }
    await moveBatch([site("a")], refuse(refusal("/siteIds/0")))
    expect(calls).toBe(1)
    await expect(moveBatch([site("a")], refuse(refusal()))).rejects.toThrow("no such site")
    await expect(moveBatch([site("a")], refuse(refusal("/other")))).rejects.toThrow("no such site")
    await expect(moveBatch([site("a")], refuse(new TypeError("no connection")))).rejects.toThrow("no connection")
  })
})
