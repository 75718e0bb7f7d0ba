/**
 * Times of requests tell nothing about keys, foreign ids and e-mail addresses.
 */
import { Agent, request } from "node:http"
import type { Proof } from "../check.ts"
import { type Pair, type TimedRequest, timedServer } from "./Pairs.ts"
import { type Comparison, compare, confirmed, isApart, isFarApart, randomOf } from "./Statistics.ts"

interface Answered {
  readonly milliseconds: number
  readonly status: number
  /** Without the id of the request, and ids that the request has named. */
  readonly text: string
}

/** Sends a request on the connection of the agent. */
const send = (agent: Agent, address: string, { body, headers, method, path }: TimedRequest): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const sent = body === undefined ? "" : JSON.stringify(body)
    const all = {
      ...headers,
      ...(sent === "" ? {} : { "content-type": "application/json", "content-length": sent.length })
    }
    const start = process.hrtime.bigint()
    const outgoing = request(`${address}${path}`, { agent, method, headers: all }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
      })
      response.once("end", () => {
        const milliseconds = Number(process.hrtime.bigint() - start) / 1e6
        const plain = text.replace(/"requestId":"[^"]*"/, "").replaceAll(/[0-9a-f-]{36}/g, "id")
        resolve({ milliseconds, status: response.statusCode ?? 0, text: plain })
      })
    })
    outgoing.once("error", reject)
    outgoing.end(sent)
  })

const shown = ({ count, medians: [a, b], t }: Comparison): string =>
  `t ${t.toFixed(2)}, medians ${a.toFixed(3)} and ${b.toFixed(3)} ms, ${count} requests`

/** Names what differs; undefined when a pair cannot be told apart, neither by answers nor by times. */
export const difference = async (
  { name, request, status: expected }: Omit<Pair, "slow">,
  answer: (timed: TimedRequest) => Promise<Answered>,
  {
    count,
    differs,
    log,
    random
  }: {
    readonly count: number
    readonly differs: (comparison: Comparison) => boolean
    readonly log: (line: string) => void
    readonly random: () => number
  }
): Promise<string | undefined> => {
  const seen = new Set<string>()
  const once = () =>
    compare(
      async (kind, index) => {
        const { milliseconds, status, text } = await answer(request(kind, index))
        if (status !== expected) throw new Error(`${name}: status ${status} ${text}`)
        seen.add(text)
        return milliseconds
      },
      count,
      random
    )
  const { differs: apart, last } = await confirmed(once, differs)
  log(`${name}: ${shown(last)}`)
  if (seen.size > 1) return `${name}: different answers: ${[...seen].join(" | ")}`
  return apart ? `${name}: ${shown(last)}` : undefined
}

export const timing: Proof = {
  name: "timing",
  title: "keys, foreign ids and e-mail addresses that times do not tell apart",
  run: async ({ log, long, runs, seed }) => {
    const random = randomOf(seed)
    const server = await timedServer(random, long ? 200 : 3)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      const found: Array<string> = []
      for (const pair of server.pairs) {
        const usual = runs ?? (long ? 10_000 : 150)
        const count = Math.max(10, pair.slow ? Math.ceil(usual / (long ? 5 : 8)) : usual)
        const options = { count, differs: long ? isApart : isFarApart, log, random }
        const apart = await difference(pair, (timed) => send(agent, server.address, timed), options)
        if (apart !== undefined) found.push(apart)
      }
      if (found.length > 0) throw new Error(`told apart:\n${found.join("\n")}`)
      return `${server.pairs.length} pairs are not told apart`
    } finally {
      agent.destroy()
      await server.close()
    }
  }
}
