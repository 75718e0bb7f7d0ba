import { Agent, type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { copyTo, prepared } from "../Prepared.ts"
import { serve, temporaryFolder } from "../SolarSitesProcess.ts"

// 200 per second.
const interval = 5
const atOnce = 50
const site = JSON.stringify({ siteName: "Under load", capacity: 1, unit: "kW" })

describe("a server under 200 requests a second", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let apiKey: string

  beforeAll(async () => {
    folder = await temporaryFolder()
    apiKey = (await prepared()).apiKey
  })

  afterAll(() => folder[Symbol.asyncDispose]())

  const send = async (address: string, index: number, agent: Agent): Promise<string> => {
    const method = index % 2 === 0 ? "POST" : "GET"
    const headers = { "x-api-key": apiKey, ...(method === "POST" ? { "content-type": "application/json" } : {}) }
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request(`${address}/api/${method === "POST" ? "sites" : "me"}`, { method, headers, agent })
          .once("response", resolve)
          .once("error", reject)
          .end(method === "POST" ? site : undefined)
      })
      JSON.parse(await text(response))
      return `${response.statusCode}`
    } catch (error) {
      return String(Object(error).code ?? error)
    }
  }

  it("loses none at SIGTERM, with kept and with new connections", async () => {
    const server = await serve({ ...(await copyTo(join(folder.path, "data"))), RATE_LIMIT_PER_MINUTE: "0" })
    const agents = [new Agent({ keepAlive: true }), new Agent()] as const
    const outcomes: Array<Promise<string>> = []
    let answered = 0
    let refused = 0
    let told = false
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        // Bounded, so that a busy machine can answer all within the timeout of draining.
        if (outcomes.length - answered - refused >= atOnce) return
        const outcome = send(server.address, outcomes.length, agents[outcomes.length % 4 < 2 ? 0 : 1])
        outcomes.push(outcome)
        void outcome.then((code) => {
          if (code === "ECONNREFUSED") refused += 1
          else answered += 1
        })
        if (answered >= 200 && !told) {
          told = true
          server.kill("SIGTERM")
        }
        if (refused >= 20) {
          clearInterval(timer)
          resolve()
        }
      }, interval)
    })
    const tally = Map.groupBy(await Promise.all(outcomes), (code) => code)
    for (const agent of agents) agent.destroy()
    expect([...tally.keys()].toSorted()).toEqual(["200", "201", "ECONNREFUSED"])
    expect(await server.finished).toMatchObject({ code: 0, signal: null })
  })
})
