/**
 * A running service that requests are sent to.
 */
import type { UploadUrl } from "../../../packages/http-node/test/Setup.ts"
import type { Answer, Sent } from "./Judge.ts"

export interface Target {
  /** A new organisation; returns its key. */
  readonly join: () => Promise<string>
  /** A further key of the organisation of a key, limited to these portfolios. */
  readonly limit: (key: string, portfolioIds: ReadonlyArray<string>) => Promise<string>
  readonly send: (sent: Pick<Sent, "method" | "path" | "query" | "headers" | "body">) => Promise<Answer>
  readonly upload: (address: UploadUrl, text: string) => Promise<number>
  readonly close: () => Promise<void>
}

const json = { "content-type": "application/json" }

/** Sends a request that must succeed; returns its body. */
export const asking = (target: Pick<Target, "send">, key: string) => async (line: string, body?: unknown) => {
  const [method = "", path = ""] = line.split(" ")
  const headers = { ...(body === undefined ? {} : json), "x-api-key": key }
  const answer = await target.send({
    method,
    path,
    query: "",
    headers,
    body: body === undefined ? undefined : JSON.stringify(body)
  })
  if (answer.status >= 300) throw new Error(`Setup: ${line} is answered with ${answer.status} ${answer.text}`)
  return answer.text === "" ? null : JSON.parse(answer.text)
}

export type Ask = ReturnType<typeof asking>
