import { once } from "node:events"
import { createServer, type IncomingMessage, request as send } from "node:http"
import { describe, expect, it } from "vitest"
import { toNodeListener } from "../src/index.ts"
import { useMember } from "./Serving.ts"
import { aNewSite, closed, listening } from "./Setup.ts"

// Bodies as hosts hand them over, who have the request before we do.
const { member, setup } = useMember()

/** Answers to a new site behind a host that does something to the request first. */
const behind = async (host: (request: IncomingMessage) => unknown, pieces: ReadonlyArray<Buffer>) => {
  const solar = toNodeListener(setup().ports)
  const server = createServer((request, response) => {
    void Promise.resolve(host(request)).then(() => solar.listener(request, response))
  })
  const port = await listening(server)
  try {
    const headers = { "x-api-key": member().key, "content-type": "application/json" }
    const client = send({ port, host: "127.0.0.1", method: "POST", path: "/api/sites", headers, agent: false })
    // Before the first piece: an answer may come before the last one.
    const answered = once(client, "response")
    for (const piece of pieces) {
      client.write(piece)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    client.end()
    const [response] = (await answered) as [IncomingMessage]
    let text = ""
    for await (const chunk of response) text += String(chunk)
    return { status: response.statusCode, body: JSON.parse(text) }
  } finally {
    await closed(server)
    await solar.close()
  }
}

const site = { ...aNewSite, siteName: "Große Wiese ☀" }
const whole = Buffer.from(JSON.stringify(site))
// In the middle of a character of three bytes.
const middle = whole.indexOf(Buffer.from("☀")) + 1
const inPieces = [whole.subarray(0, 1), whole.subarray(1, middle), whole.subarray(middle)]

describe("a body", () => {
  it("is read completely from any number of chunks", async () => {
    const { body, status } = await behind(() => {}, inPieces)
    expect([status, body.siteName]).toEqual([201, site.siteName])
  })

  it("is read when the host has paused the request", async () => {
    const { body, status } = await behind((request) => request.pause(), inPieces)
    expect([status, body.siteName]).toEqual([201, site.siteName])
  })

  it("is read when the host has set an encoding", async () => {
    const { body, status } = await behind((request) => request.setEncoding("utf8"), inPieces)
    expect([status, body.siteName]).toEqual([201, site.siteName])
  })

  it("is empty, and not awaited, when the host has consumed it", async () => {
    const drained = async (request: IncomingMessage) => {
      for await (const _ of request);
    }
    const { body, status } = await behind(drained, [whole])
    expect([status, body.code]).toEqual([400, "malformed_json"])
  })

  it("over the maximum is refused, without a declared length too", async () => {
    const { body, status } = await behind(() => {}, [Buffer.alloc(1_048_576, " "), Buffer.from("  ")])
    expect([status, body.code]).toEqual([413, "body_too_large"])
  })
})
