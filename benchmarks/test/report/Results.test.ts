import { assert, describe, it } from "vitest"
import type { Measurement } from "../../src/load/protocol.ts"
import { type Run, summarise } from "../../src/report/results.ts"
import { toSvg } from "../../src/report/svg.ts"
import { headline, workloadTable } from "../../src/report/table.ts"
import { judge } from "../../src/report/targets.ts"
import { type Workload, workloads } from "../../src/workloads.ts"

const round = (perSecond: number, more: Partial<Measurement> = {}): Measurement => ({
  requests: perSecond,
  perSecond,
  p50Ms: 10,
  p99Ms: 15,
  processorMicros: 100,
  residentMegabytes: 50,
  ...more
})

const workNamed = (name: string): Workload => {
  const found = workloads.find((workload) => workload.name === name)
  if (found === undefined) throw new Error(`there is no workload called ${name}`)
  return found
}

const runOf = (measured: Readonly<Record<string, ReadonlyArray<Measurement>>>): Run => ({
  startedAt: "2026-06-01T12:00:00.000Z",
  machine: { processors: 2, model: "A <fast> one", node: "v24", postgres: "18" },
  options: { large: false, seconds: 1, connections: 50, rounds: 3 },
  contestants: Object.keys(measured).map((name) => ({ name, title: name })),
  workloads: [summarise(workNamed("list"), new Map(Object.entries(measured)))]
})

const judged = (run: Run) => judge(run).map(({ reached, sentence }) => `${reached} ${sentence}`)

describe("results", () => {
  it("are medians of the rounds and of their ratios", () => {
    const limit = [round(100), round(1_000), round(400)]
    const { results } = summarise(
      workNamed("list"),
      new Map([
        ["limit", limit],
        ["solar-sites", [round(50), round(900, { p50Ms: 1, processorMicros: null }), round(100)]]
      ])
    )
    const [, own] = results
    assert.strictEqual(own?.perSecond, 100)
    assert.strictEqual(own?.ratio, 0.5)
    assert.strictEqual(own?.p50Ms, 10)
    assert.strictEqual(own?.processorMicros, 100)
    assert.strictEqual(own?.requests, 1_050)
  })

  it("are compared with the targets of their workloads alone", () => {
    assert.deepStrictEqual(judged(runOf({ limit: [round(100)], "solar-sites": [round(120)] })), [
      "true list: 1.20 times limit, at least 1.2",
      "true list: p99 1.00 times that of limit, at most 1.2"
    ])
    const slow = { limit: [round(100)], "solar-sites": [round(90, { p99Ms: 20 })], "fastify-drizzle": [round(80)] }
    assert.deepStrictEqual(judged(runOf(slow)), [
      "false list: 0.90 times limit, at least 1.2",
      "false list: 1.13 times fastify-drizzle, at least 1.2",
      "false list: p99 1.33 times that of limit, at most 1.2"
    ])
    assert.deepStrictEqual(judged(runOf({ limit: [round(100)] })), [])
  })

  it("are null without responses", () => {
    const none = round(0, { p50Ms: Number.NaN, p99Ms: Number.NaN, processorMicros: null, residentMegabytes: null })
    const run = runOf({ limit: [none] })
    const [workload] = run.workloads
    if (workload === undefined) throw new Error("no workload")
    assert.match(workloadTable(workload, run.contestants), /limit +0 +– +– +– +– +–$/)
  })

  it("are drawn as SVG", () => {
    const run = runOf({ limit: [round(100)], "solar-sites": [round(90)] })
    const svg = toSvg(run, headline(run))
    assert.match(svg, /90\/s · 0\.90/)
    assert.match(svg, /A &lt;fast> one/)
    assert.strictEqual(svg.match(/<rect /g)?.length, 3)
  })
})
