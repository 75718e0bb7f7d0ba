import { Duration } from "effect"
import { describe, expect, it } from "vitest"
import { openListener, send } from "./Listening.ts"

/** The one answer on a connection, with its parsed body. */
const parse = (answer: string) => {
  const [head = "", body = ""] = answer.split("\r\n\r\n")
  const [statusLine = "", ...lines] = head.split("\r\n")
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
  )
  return { status: Number(statusLine.split(" ")[1]), headers, problem: JSON.parse(body) }
}

const head = "GET / HTTP/1.1\r\nhost: x\r\n"

describe("what Node refuses by itself", () => {
  it.each([
    ["no HTTP", "hello\r\n\r\n", 400, "malformed_request"],
    ["no host", "GET / HTTP/1.1\r\n\r\n", 400, "malformed_request"],
    ["a header that is none", `${head}a b\r\n\r\n`, 400, "malformed_request"],
    ["too much in its headers", `${head}x-long: ${"x".repeat(200_000)}\r\n\r\n`, 431, "headers_too_large"],
    ["an expectation", `${head}expect: something\r\n\r\n`, 417, "expectation_failed"],
    ["headers without an end", head, 408, "request_timeout"],
    ["a body that does not come", `PUT / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n1`, 408, "request_timeout"]
  ])("is answered with a problem like all others: %s", async (_, request, status, code) => {
    const port = await openListener({
      headersTimeout: Duration.millis(500),
      bodyTimeout: Duration.millis(500),
      // Waits for the body, as an application does.
      listener: (incoming, response) => incoming.resume().once("end", () => response.end())
    })
    const answer = parse(await send(port, request).ended)
    expect(answer).toMatchObject({
      status,
      headers: {
        "content-type": "application/problem+json",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        connection: "close"
      },
      problem: { type: `urn:solar-sites:problem:${code}`, status, code }
    })
    expect(answer.headers["x-request-id"]).toMatch(/^[A-Za-z0-9-]{8,64}$/)
    expect(answer.problem.requestId).toBe(answer.headers["x-request-id"])
  })

  it("is answered on each of many connections that are silent at once", async () => {
    const port = await openListener({ headersTimeout: Duration.millis(300) })
    const answers = await Promise.all(Array.from({ length: 120 }, () => send(port, "").ended))
    expect(answers.map((answer) => parse(answer).status)).toEqual(answers.map(() => 408))
  })

  it("keeps the name that the client has given its request", async () => {
    const port = await openListener({
      bodyTimeout: Duration.millis(200),
      listener: (incoming) => void incoming.resume()
    })
    const request = "PUT / HTTP/1.1\r\nhost: x\r\nx-request-id: my-own-name\r\ncontent-length: 9\r\n\r\n1"
    expect(parse(await send(port, request).ended).problem.requestId).toBe("my-own-name")
  })

  it("writes nothing into an answer that has begun", async () => {
    const port = await openListener({ listener: (_, response) => response.write("begun") })
    const client = send(port, `${head}\r\n`)
    client.socket.once("data", () => client.socket.write("nonsense\r\n\r\n"))
    expect((await client.ended).match(/HTTP\/1\.1/g)).toHaveLength(1)
  })
})
