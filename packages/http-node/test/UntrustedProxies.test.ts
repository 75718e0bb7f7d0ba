import { Layer, Logger } from "effect"
import { expect, it } from "vitest"
import type { HttpOptions } from "../src/index.ts"
import { useMember } from "./Serving.ts"
import { caller, nodeBinding } from "./Setup.ts"

const { setup } = useMember()

const warningsWith = async (options: HttpOptions, headers: Readonly<Record<string, string>>) => {
  const lines: Array<string> = []
  const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
  const binding = await nodeBinding(Layer.merge(setup().ports, logger), options)
  for (let request = 0; request < 3; request++) await caller(binding, null)("GET /health/live", { headers })
  await binding.close()
  return lines.filter((line) => line.includes("X-Forwarded-For"))
}

it("an untrusted proxy is logged once, with the remedy", async () => {
  expect(await warningsWith({}, { "x-forwarded-for": "192.0.2.1" })).toEqual([
    "X-Forwarded-For of 127.0.0.1 is ignored. If that is your proxy, name it in trustedProxies (TRUSTED_PROXIES); " +
      "until then all its clients count as one address."
  ])
})

it("nothing is logged for clients, for trusted proxies, and with clientAddress", async () => {
  expect(await warningsWith({}, {})).toEqual([])
  expect(await warningsWith({ trustedProxies: ["127.0.0.1"] }, { "x-forwarded-for": "192.0.2.1" })).toEqual([])
  expect(await warningsWith({ clientAddress: () => "192.0.2.1" }, { "x-forwarded-for": "192.0.2.1" })).toEqual([])
})
