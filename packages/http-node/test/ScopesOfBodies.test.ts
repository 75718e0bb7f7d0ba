import { describe, expect, it } from "vitest"
import { makeScene, newSite } from "./OperationScene.ts"

describe("a missing scope that the body needs", () => {
  it("tells nothing about ids, after the schema has refused what it does not allow", async () => {
    const { harness, ids, keyWith } = await makeScene()
    await using _ = harness
    const headers = { "content-type": "application/json", "x-api-key": await keyWith(["sites:write"]) }
    const refusal = async (line: string, sent: unknown) => {
      const [method = "", path] = line.split(" ")
      const body = JSON.stringify(sent)
      const answer = await harness.fetch(`http://solar.test${path}`, { method, headers, body })
      const { code, detail } = Object(await answer.json())
      return [answer.status, code, detail]
    }
    const missing = [403, "scope_missing", "The caller lacks the scope portfolios:write."]
    for (const id of [ids.site, ids.portfolio, "no-uuid"]) {
      expect(await refusal(`PUT /api/sites/${id}`, { portfolioId: ids.site })).toEqual(missing)
    }
    for (const portfolioId of [ids.site, ids.portfolio]) {
      const site = { ...newSite, portfolioId }
      expect(await refusal("POST /api/sites", site)).toEqual(missing)
      expect(await refusal("POST /api/sites/bulk", { sites: [newSite, site] })).toEqual(missing)
      expect((await refusal("POST /api/sites", { ...site, capacity: 0 }))[1]).toBe("validation_failed")
      expect((await refusal("POST /api/sites/bulk", { sites: [{ ...site, capacity: 0 }] }))[1]).toBe(
        "validation_failed"
      )
    }
  })

  it("does not hinder the look-ups of a repeated request", async () => {
    const { harness, ids, keyWith } = await makeScene()
    await using _ = harness
    const json = { "content-type": "application/json", "idempotency-key": "once" }
    const headers = { ...json, "x-api-key": await keyWith(["sites:write", "portfolios:write"]) }
    const create = async (siteName: string) => {
      const body = JSON.stringify({ ...newSite, siteName, portfolioId: ids.portfolio })
      const { status } = await harness.fetch("http://solar.test/api/sites", { method: "POST", headers, body })
      return status
    }
    expect([await create("One"), await create("One"), await create("Other")]).toEqual([201, 201, 409])
  })
})
