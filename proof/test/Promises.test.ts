import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"
import type { PromiseGroup } from "../src/promises/Evidence.ts"
import { faultsOf, linesOf, nameOf, passedTests } from "../src/promises/promises.ts"

const cells = {
  embedded: { file: "a.test.ts", test: "a > holds" },
  postgres: { proof: "model", on: "postgres" },
  citus: "has no such thing"
} as const
const reasons = { pgbouncer: "passes it on", ceph: "holds files only", redis: "holds limits only" }
const table = (more: object = {}): ReadonlyArray<PromiseGroup> => [
  { title: "Records", reasons, promises: { "it holds": { ...cells, ...more } } }
]
const tests = new Set([nameOf("a.test.ts", "a > holds")])
const proofs = [{ name: "model", targets: ["postgres"] }]

describe("the table of promises", () => {
  it("holds when each cell has a test, a target or a reason", () => {
    expect(faultsOf(table(), tests, proofs)).toEqual([])
    expect(linesOf(table()).join("\n")).toContain("embedded   a.test.ts: a > holds")
  })

  it.each([
    ["a test that is gone", { embedded: { file: "a.test.ts", test: "a > held" } }, "there is no a.test.ts: a > held"],
    ["a target that is gone", { postgres: { proof: "model", on: "oracle" } }, "there is no proof model --on oracle"],
    ["a cell without a reason", { citus: undefined }, "it holds, citus: neither a test nor a reason"]
  ])("fails for %s", (_, more, fault) => {
    expect(faultsOf(table(more), tests, proofs)).toEqual([expect.stringContaining(fault)])
  })

  it("takes tests from reports, of those that passed", () => {
    const folder = mkdtempSync(join(tmpdir(), "solar-sites-report-"))
    const path = join(folder, "report.json")
    const assertionResults = ["passed", "skipped"].map((status) => ({ ancestorTitles: ["a"], title: status, status }))
    writeFileSync(path, JSON.stringify({ testResults: [{ name: resolve("a.test.ts"), assertionResults }] }))
    expect([...passedTests([path])]).toEqual(["a.test.ts: a > passed"])
    rmSync(folder, { recursive: true })
  })
})
