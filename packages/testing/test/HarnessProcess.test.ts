import { spawn } from "node:child_process"
import { SolarSitesHarness } from "@solar-sites/testing"
import { describe, expect, it } from "vitest"
import { aNewSite, calling, issue } from "./HarnessCalls.ts"

/** Runs a program in a process of its own: its exit code, and all that it printed. */
const run = async (program: string): Promise<readonly [unknown, string]> => {
  const args = ["--conditions=@solar-sites/source", "--input-type=module", "--eval", program]
  const child = spawn(process.execPath, args, { cwd: import.meta.dirname, timeout: 500_000 })
  const printed: Array<string> = []
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => printed.push(String(piece)))
  return [await new Promise((resolve) => child.on("close", resolve)), printed.join("")]
}

/** Ids and secrets of all kinds that a harness makes. */
const madeBy = async (options?: SolarSitesHarness.HarnessOptions) => {
  await using harness = await SolarSitesHarness.make(options)
  const { apiKey, caller, id } = await harness.createOrganisation("Sunfield Energy")
  const { apiKey: otherKey } = await harness.createOrganisation("Moonfield Energy")
  const { documentId, uploadUrl } = await issue(calling(harness.fetch, apiKey))
  return [id, caller.userId, documentId, uploadUrl.url, apiKey, otherKey]
}

describe("the seed of a harness", () => {
  it("makes the same ids and keys for the same calls, none of them twice", async () => {
    const made = await madeBy()
    expect(new Set(made).size).toBe(made.length)
    expect(await madeBy()).toEqual(made)
    expect(await madeBy({ seed: 1 })).toEqual(await madeBy({ seed: 1 }))
  })

  it("decides all of them", async () => {
    const [some, others] = [await madeBy({ seed: 1 }), await madeBy({ seed: 2 })]
    expect(some.filter((one) => others.includes(one))).toEqual([])
  })
})

describe("many harnesses in one process", () => {
  it("work side by side, each with its own memory and clock", async () => {
    const harnesses = await Promise.all(Array.from({ length: 20 }, () => SolarSitesHarness.make()))
    const seen = await Promise.all(
      harnesses.map(async (harness, index) => {
        const { apiKey } = await harness.createOrganisation(`Field ${index}`)
        const call = calling(harness.fetch, apiKey)
        await call("POST /api/sites", { ...aNewSite, siteName: `Site ${index}` })
        await harness.advance({ seconds: index })
        await call("POST /api/portfolios", { portfolios: [{ name: "All" }] })
        const [site] = (await call("GET /api/sites")).json.data
        const [portfolio] = (await call("GET /api/portfolios")).json.data
        return [site.siteName, (Date.parse(portfolio.createdAt) - Date.parse(site.createdAt)) / 1_000]
      })
    )
    expect(seen).toEqual(harnesses.map((_, index) => [`Site ${index}`, index]))
    await Promise.all(harnesses.map((harness) => harness.dispose()))
  })
})

describe("disposing a harness", () => {
  it("can be done twice, and refuses requests from then on", async () => {
    const harness = await SolarSitesHarness.make()
    const { apiKey } = await harness.createOrganisation("Sunfield Energy")
    await Promise.all([harness.dispose(), harness[Symbol.asyncDispose]()])
    expect((await calling(harness.fetch, apiKey)("GET /api/sites")).json.code).toBe("shutting_down")
  })

  it("leaves nothing behind that would keep its process from ending", async () => {
    const program = `
      import { SolarSitesHarness } from "@solar-sites/testing"
      const harness = await SolarSitesHarness.make()
      const { apiKey } = await harness.createOrganisation("Sunfield Energy")
      const headers = { "x-api-key": apiKey }
      const response = await harness.fetch(new Request("http://solar.test/api/sites", { headers }))
      await harness.advance("61 seconds")
      await harness.dispose()
      process.on("exit", (code) => console.log(response.status, code))
    `
    const [code, printed] = await run(program)
    expect([code, printed]).toEqual([0, "200 0\n"])
  })
})

describe("importing the package", () => {
  it("loads the HTTP binding with the first harness, and nothing of servers ever", async () => {
    const program = `
      import { registerHooks } from "node:module"
      const loaded = []
      registerHooks({ resolve: (name, context, next) => {
        loaded.push(name)
        return next(name, context)
      } })
      const isLoaded = (name) => loaded.some((specifier) => specifier.startsWith(name))
      const { SolarSitesHarness } = await import("@solar-sites/testing")
      console.log(isLoaded("@solar-sites/core"), isLoaded("@solar-sites/http-node"), isLoaded("effect/http"))
      await (await SolarSitesHarness.make()).dispose()
      console.log(isLoaded("@solar-sites/http-node"), isLoaded("@effect/platform-node"))
    `
    expect(await run(program)).toEqual([0, "true false false\ntrue false\n"])
  })
})
