import { assert, describe, it } from "vitest"
import { type Cost, needs, needsHead } from "../../costs/Needs.ts"
import { mixed, operations, type Send } from "../../costs/Operations.ts"

const cost: Cost = { servers: 600, postgres: 300, redis: 60, wal: 1_000, stored: 0 }

describe("the mixed load", () => {
  it("has each operation as often as its share says", async () => {
    assert.strictEqual(
      operations.reduce((sum, { share }) => sum + share, 0),
      100
    )
    const sent: Array<string> = []
    const send: Send = async (method, path) => {
      sent.push(`${method} ${path.replace(/\?.*/, "")}`)
      return { results: [{ documentId: "document" }] }
    }
    for (let n = 0; n < 100; n++) await mixed.run(send, { key: "key", siteIds: ["site"] }, n)
    const times = (line: string) => sent.filter((one) => one === line).length
    const lines = ["GET /api/sites", "PUT /api/sites/site", "POST /api/docs/bulk-upload-url", "PUT /api/docs/document"]
    assert.deepStrictEqual(lines.map(times), [35, 6, 2, 2])
  })
})

describe("the needs of a load", () => {
  it("grow with it, from two server processes on", () => {
    const rows = needs(cost, { site: 2_000, upload: 3_000, update: 1_000 })
    for (const row of rows) assert.strictEqual(row.length, needsHead.length)
    const column = (name: string) => rows.map((row) => row[needsHead.indexOf(name)])
    assert.deepStrictEqual(column("server processes"), ["2", "2", "10", "100"])
    assert.deepStrictEqual(column("Postgres cores"), ["0.1", "0.5", "5.0", "50.0"])
    assert.deepStrictEqual(column("disk after a year"), ["3.7 GB", "37 GB", "370 GB", "3.7 TB"])
    assert.deepStrictEqual(column("WAL a day"), ["2.2 GB", "22 GB", "220 GB", "2.2 TB"])
  })
})
