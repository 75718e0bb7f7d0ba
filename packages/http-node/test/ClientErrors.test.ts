import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import {
  makeClient,
  SolarSitesAnswerError,
  SolarSitesError,
  SolarSitesNetworkError,
  SolarSitesProblem
} from "../src/client/index.ts"
import { describeProblem, isProblemCode, problems } from "../src/contract/index.ts"
import { aKey, refusal, rejection, scripted, scriptedClient } from "./ClientSetup.ts"

const codes = Object.keys(problems).filter(isProblemCode)
const once = { retry: false } as const

describe("a refusal", () => {
  it.each(codes)("has the code of the problem: %s", async (code) => {
    const { client } = scriptedClient([refusal(code, { "retry-after": "3" })], once)
    const error = await rejection(client.me())
    if (!(error instanceof SolarSitesProblem)) throw error
    const { detail, status, title } = describeProblem(code)
    expect(error).toBeInstanceOf(SolarSitesError)
    expect(error).toMatchObject({ code, detail, status, title, requestId: "request-1", errors: [], retryAfter: 3 })
    expect(error.name).toBe("SolarSitesProblem")
    expect(error.message).toBe(`GET /api/me was refused: ${code} (${status}). ${detail}`)
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code, status, message: error.message, attempts: 1 })
  })

  it("may have an unknown code", async () => {
    const body = JSON.stringify({ ...describeProblem("internal"), code: "too_sunny", status: 409 })
    const { client } = scriptedClient([new Response(body, { status: 409 })])
    expect(await rejection(client.me())).toMatchObject({ code: "too_sunny", status: 409, errors: [] })
  })
})

describe("a response of another server", () => {
  const html = { "content-type": "text/html", "x-request-id": "request-2" }

  it.each([
    [
      "a page instead of a problem",
      new Response("<h1>No</h1>", { status: 404, headers: html }),
      /404.*problem document/
    ],
    ["an empty body", new Response(null, { status: 500 }), /500.*problem document/],
    ["other JSON", new Response('{"message":"no"}', { status: 403 }), /403.*problem document/],
    ["JSON null", new Response("null", { status: 400 }), /400.*problem document/],
    ["half a problem", new Response('{"code":"internal"}', { status: 500 }), /500.*problem document/],
    ["a page instead of a success", new Response("<h1>Welcome</h1>", { headers: html }), /200.*not with JSON/],
    ["nothing instead of a success", new Response(""), /200.*not with JSON/],
    ["text instead of an object", new Response('"x"'), /200.*not with a JSON object/],
    ["a redirect", new Response(null, { status: 308, headers: { location: "https://example.com" } }), /redirected/],
    ["a redirect that a browser hides", Response.error(), /redirected/]
  ])("is a SolarSitesAnswerError: %s", async (_, answer, message) => {
    const { client, seen } = scriptedClient([answer])
    const error = await rejection(client.me())
    expect(error).toBeInstanceOf(SolarSitesAnswerError)
    expect(error).toMatchObject({
      code: "unexpected_answer",
      status: answer.status,
      message: expect.stringMatching(message)
    })
    expect(seen).toHaveLength(1)
  })

  it("has the request id", async () => {
    const { client } = scriptedClient([new Response("no", { status: 500, headers: html })])
    expect(await rejection(client.me())).toMatchObject({ requestId: "request-2" })
  })
})

describe("the API key", () => {
  const everything = (value: unknown) =>
    `${value} ${JSON.stringify(value)} ${inspect(value, { depth: 20, showHidden: true })}`

  it("is neither in errors nor in the client", async () => {
    const apiKey = aKey()
    const leaky = new TypeError(`cannot send x-api-key: ${apiKey}`)
    const answers = [
      refusal("api_key_invalid"),
      new Response("no", { status: 500 }),
      new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") }),
      leaky,
      new TypeError("fetch failed", { cause: leaky })
    ]
    const { fetch } = scripted(...answers)
    const client = makeClient({ baseUrl: "http://localhost", apiKey, fetch, ...once })
    expect(everything(client)).not.toContain(apiKey)
    for (const _ of answers) {
      const error = await rejection(client.me())
      expect(everything(error)).not.toContain(apiKey)
      expect(error instanceof Error && error.stack).not.toContain(apiKey)
      expect(error instanceof SolarSitesError).toBe(true)
    }
  })

  it("is sent in its header, and a lost connection has its cause", async () => {
    const apiKey = aKey()
    const cause = new TypeError("fetch failed")
    const { fetch, seen } = scripted(cause)
    const error = await rejection(makeClient({ baseUrl: "http://localhost", apiKey, fetch, ...once }).me())
    expect(error).toBeInstanceOf(SolarSitesNetworkError)
    expect(error instanceof Error && error.cause).toBe(cause)
    expect(seen[0]?.headers.get("x-api-key")).toBe(apiKey)
    expect(seen[0]?.line).not.toContain(apiKey)
  })

  it("is optional: without it there is no header, and a lost connection has its cause", async () => {
    const cause = new TypeError("fetch failed")
    const { fetch, seen } = scripted(cause)
    const error = await rejection(makeClient({ baseUrl: "http://localhost/console", fetch, ...once }).me())
    expect(error instanceof Error && error.cause).toBe(cause)
    expect(seen[0]?.line).toBe("GET /console/api/me")
    expect(seen[0]?.headers.has("x-api-key")).toBe(false)
  })

  it.each(["", " ", "two words", "line\n", "nül"])(
    "is refused if invalid, without its text in the error: %j",
    (text) => {
      const make = () => makeClient({ baseUrl: "http://localhost", apiKey: text })
      expect(make).toThrow(/^apiKey: not a key; only visible ASCII characters, without white space around them$/)
    }
  )
})

describe("the base address", () => {
  it.each([
    ["http://localhost", "http://localhost/api/me"],
    ["https://example.com/", "https://example.com/api/me"],
    ["https://example.com/solar//", "https://example.com/solar/api/me"]
  ])("may have a path prefix: %s", async (baseUrl, url) => {
    let requested = ""
    const fetch = async (request: Request) => {
      requested = request.url
      return new Response("{}")
    }
    await makeClient({ baseUrl, apiKey: "key", fetch }).me()
    expect(requested).toBe(url)
  })

  it.each([
    "ftp://example.com",
    "https://user@example.com",
    "https://:word@example.com",
    "https://example.com?a",
    "/#b"
  ])("is refused if invalid, without its text in the error: %s", (baseUrl) => {
    const make = () => makeClient({ baseUrl, apiKey: "key" })
    expect(make).toThrow(/^baseUrl: an http or https address without/)
    expect(make).not.toThrow(baseUrl)
  })

  it("cannot be a path outside a page", async () => {
    const error = await rejection(makeClient({ baseUrl: "/solar", apiKey: "key" }).me())
    expect(error).toBeInstanceOf(TypeError)
  })
})
