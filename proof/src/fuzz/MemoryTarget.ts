/**
 * The fetch handler over memory.
 */
import { PortfolioId } from "@solar-sites/core"
import { makeSetup, webBinding } from "../../../packages/http-node/test/Setup.ts"
import type { Target } from "./Target.ts"

const base = "http://localhost"

/** A request of the platform; `body` of a GET is left out. */
export const requestOf = (
  base: string,
  { body, headers, method, path, query }: Parameters<Target["send"]>[0]
): Request =>
  new Request(`${base}${path}${query === "" ? "" : `?${query}`}`, {
    method,
    headers,
    redirect: "manual",
    ...(body === undefined ? {} : { body })
  })

export const memoryTarget = async (): Promise<Target> => {
  const setup = await makeSetup()
  const { close, send } = webBinding(setup.ports, { rateLimitPerMinute: 0 })
  const members = new Map<string, Awaited<ReturnType<typeof setup.join>>>()
  return {
    join: async () => {
      const member = await setup.join("Fuzzed")
      members.set(member.key, member)
      return member.key
    },
    limit: (key, portfolioIds) => {
      const member = members.get(key)
      if (member === undefined) throw new Error("no member has the key")
      return setup.newKey(member, { portfolioIds: portfolioIds.map((id) => PortfolioId.make(id)) })
    },
    send: async (sent) => {
      const response = await send(requestOf(base, sent))
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
    upload: setup.put,
    close: async () => {
      await close()
      await setup.close()
    }
  }
}
