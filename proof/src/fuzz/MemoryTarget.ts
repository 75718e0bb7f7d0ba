/**
 * The fetch handler over memory.
 */
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
  return {
    join: async () => (await setup.join("Fuzzed")).key,
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
