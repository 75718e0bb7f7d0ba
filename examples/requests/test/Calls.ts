/**
 * Sends requests such as `"POST /api/sites"` to an example, below its mount, with credentials.
 */
import { expect } from "vitest"

export interface Mounted {
  /** The address of the mount, such as `http://127.0.0.1:3000/solar`. */
  readonly base: string
  readonly credentials: Readonly<Record<string, string>>
}

interface Call {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, unless it is text. */
  readonly body?: unknown
  readonly anonymous?: boolean
}

export type Send = (line: string, call?: Call) => Promise<Answer>

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: ReturnType<typeof JSON.parse>
}

/** Reads the credentials with every call, since the example can start later. */
export const sending =
  (mounted: () => Mounted): Send =>
  async (line, { anonymous = false, body, headers } = {}) => {
    const [method = "GET", path = "/"] = line.split(" ")
    const { base, credentials } = mounted()
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(anonymous ? {} : credentials),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      body: body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body)
    })
    const text = await response.text()
    const isJson = response.headers.get("content-type")?.includes("json") === true && text !== ""
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null }
  }

/** That an answer is a problem of ours, of this kind. */
export const expectProblem = (answer: Answer, status: number, code: string): void => {
  expect([answer.status, answer.json?.code, answer.headers.get("content-type")]).toEqual([
    status,
    code,
    "application/problem+json"
  ])
  expect(answer.json.requestId).toBe(answer.headers.get("x-request-id"))
}

export const newSite = { siteName: "Long Meadow", capacity: 1.2, unit: "MW" }

export const aSite = async (send: Send): Promise<string> => {
  const { json, status } = await send("POST /api/sites", { body: newSite })
  expect(status).toBe(201)
  return json.id
}
