import { describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { unknownId, webBinding } from "./Setup.ts"

const mebibyte = 1_048_576

/** As many of these as fit into so many characters. */
const filled = (before: string, item: (index: number) => string, after: string, characters = mebibyte): string => {
  const items: Array<string> = []
  let left = characters - before.length - after.length
  for (let index = 0; left > 0; index += 1) {
    const next = item(index)
    left -= next.length + 1
    if (left > 0) items.push(next)
  }
  return `${before}${items.join(",")}${after}`
}

const member = (index: number) => `"${index.toString(36)}":0`

// Parsing once took seconds and blocked all other requests; now it takes milliseconds. The bound is generous for slow machines.
describe("a request of the maximum size", { timeout: 10_000 }, () => {
  const { send } = useServer(webBinding, { rateLimitPerMinute: 0 })

  it.each([
    ["POST /api/sites", filled("{", member, "}"), 1_000],
    [`PUT /api/sites/${unknownId}`, filled('{"siteManager":{', member, "}}"), 1_000],
    ["POST /api/portfolios", filled('{"portfolios":[{', member, "}]}"), 1_000],
    ["POST /api/portfolios", filled('{"portfolios":[', () => "{}", "]}"), 1],
    ["POST /api/portfolios", filled("[", () => "{}", "]"), 1]
  ] as const)("is told no more faults of its body than anybody reads: %s (%#)", async (line, body, faults) => {
    const { json, status } = await send(line, { body })
    expect([status, json.code, json.errors.length]).toEqual([400, "validation_failed", faults])
  })

  it.each([
    ["GET /api/me", "a"],
    ["GET /api/sites", "siteId"],
    [`DELETE /api/portfolios/${unknownId}/sites`, "siteId"]
  ])("is refused for its query: %s", async (line, name) => {
    const query = `${name}&`.repeat(500_000 / name.length)
    const { json, status } = await send(`${line}?${query}`)
    expect([status, json.code]).toEqual([400, "validation_failed"])
  })

  it("is read when its query is long by its values or by its separators", async () => {
    const ids = Array.from({ length: 1_000 }, () => `siteId=${crypto.randomUUID()}`)
    const removed = await send(`DELETE /api/portfolios/${unknownId}/sites?${ids.join("&&")}`)
    expect([removed.status, removed.json.code]).toEqual([404, "portfolio_not_found"])
    const listed = await send(`GET /api/sites?${"&".repeat(20_000)}limit=0`)
    expect(listed.json.errors).toMatchObject([{ pointer: "/limit" }])
  })
})
