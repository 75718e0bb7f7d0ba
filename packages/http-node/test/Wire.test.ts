import { Agent, request } from "node:http"
import { describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, caller, nodeBinding } from "./Setup.ts"

describe("the Node listener with clients that wait or send too much", () => {
  const { binding, member } = useServer(nodeBinding)

  /** Sends one request on the agent's connection; the answer, its port of origin and whether 100 Continue came. */
  const exchange = (agent: Agent, headers: Record<string, string | number>, body: string) =>
    new Promise<{ status: number | undefined; text: string; port: number | undefined; continued: boolean }>(
      (resolve, reject) => {
        let continued = false
        const all = { "x-api-key": member().key, "content-type": "application/json", ...headers }
        const sent = request({
          agent,
          port: new URL(binding().base).port,
          host: "127.0.0.1",
          method: "POST",
          path: "/api/sites",
          headers: all
        })
        sent.on("continue", () => {
          continued = true
          sent.end(body)
        })
        sent.on("error", reject)
        sent.on("response", (response) => {
          const port = response.socket.localPort
          let text = ""
          response.on("data", (chunk) => (text += chunk))
          response.on("end", () => resolve({ status: response.statusCode, text, port, continued }))
        })
        if (!("expect" in headers)) sent.end(body)
        else sent.flushHeaders()
      }
    )

  it("keeps the connection alive after refusals, and after 100 Continue", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const body = JSON.stringify(aNewSite)
    const answers = [
      await exchange(agent, {}, "{"),
      await exchange(agent, { "x-api-key": "wrong" }, body),
      await exchange(agent, { expect: "100-continue" }, body),
      await exchange(agent, {}, body)
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 401, 201, 201])
    expect(answers.map(({ continued }) => continued)).toEqual([false, false, true, false])
    expect(new Set(answers.map(({ port }) => port)).size).toBe(1)
    agent.destroy()
  })

  it.each([
    ["declared", { "content-length": 20_000_000 }],
    ["in chunks", { "transfer-encoding": "chunked" }]
  ])("lets the refusal of a body that is far too large be read: %s", async (_, headers) => {
    const agent = new Agent({ keepAlive: false })
    const { status, text } = await exchange(agent, headers, " ".repeat(20_000_000))
    expect([status, JSON.parse(text).code]).toEqual([413, "body_too_large"])
    agent.destroy()
    expect((await caller(binding(), member().key)("GET /health/live")).status).toBe(200)
  })
})
