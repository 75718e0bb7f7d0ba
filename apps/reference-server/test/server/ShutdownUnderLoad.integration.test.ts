import { Agent, type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { copyTo, prepared } from "../Prepared.ts"
import { serve, temporaryFolder } from "../SolarSitesProcess.ts"

// 200 per second.
const interval = 5
const atOnce = 50
const mostResets = 3
const site = JSON.stringify({ siteName: "Under load", capacity: 1, unit: "kW" })

describe("a server under 200 requests a second", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let apiKey: string

  beforeAll(async () => {
    folder = await temporaryFolder()
    apiKey = (await prepared()).apiKey
  })

  afterAll(() => folder[Symbol.asyncDispose]())

  interface Outcome {
    /** Status, or code of the error. */
    readonly code: string
    readonly requestId: string
  }

  const send = async (address: string, index: number, agent: Agent): Promise<Outcome> => {
    const method = index % 2 === 0 ? "POST" : "GET"
    const requestId = `request-${index}`
    const headers = {
      "x-api-key": apiKey,
      "x-request-id": requestId,
      ...(method === "POST" ? { "content-type": "application/json" } : {})
    }
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request(`${address}/api/${method === "POST" ? "sites" : "me"}`, { method, headers, agent })
          .once("response", resolve)
          .once("error", reject)
          .end(method === "POST" ? site : undefined)
      })
      JSON.parse(await text(response))
      return { code: `${response.statusCode}`, requestId }
    } catch (error) {
      return { code: String(Object(error).code ?? error), requestId }
    }
  }

  it("loses no request that it has read at SIGTERM, with kept and with new connections", async () => {
    const server = await serve({ ...(await copyTo(join(folder.path, "data"))), RATE_LIMIT_PER_MINUTE: "0" })
    const agents = [new Agent({ keepAlive: true }), new Agent()] as const
    const pending: Array<Promise<Outcome>> = []
    let answered = 0
    let refused = 0
    let told = false
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        // Bounded, so that a busy machine can answer all within the timeout of draining.
        if (pending.length - answered - refused >= atOnce) return
        const outcome = send(server.address, pending.length, agents[pending.length % 4 < 2 ? 0 : 1])
        pending.push(outcome)
        void outcome.then(({ code }) => {
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
    const outcomes = await Promise.all(pending)
    for (const agent of agents) agent.destroy()
    const { code, signal, stderr } = await server.finished
    expect({ code, signal }).toEqual({ code: 0, signal: null })

    const isAnswer = (outcome: Outcome) => /^20[01]$/.test(outcome.code)
    const isLogged = ({ requestId }: Outcome) => stderr.includes(`"requestId":"${requestId}"`)
    expect(outcomes.filter(isLogged)).toEqual(outcomes.filter(isAnswer))
    // TCP resets a connection that the process has not accepted yet, and a request that a stalled
    // client sends on a connection that was idle for too long. The server reads neither.
    const resets = outcomes.filter((outcome) => !isAnswer(outcome) && outcome.code !== "ECONNREFUSED")
    expect(resets.filter((outcome) => outcome.code !== "ECONNRESET")).toEqual([])
    expect(resets.length).toBeLessThanOrEqual(mostResets)
  })
})
