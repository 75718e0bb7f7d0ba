import { RateLimiter } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { HostRefused, type HttpOptions } from "../src/index.ts"
import { makeSetup, webBinding } from "./Setup.ts"

const refused = new HostRefused({ status: 401, code: "login_needed", title: "Login needed", detail: "Log in." })

const options: HttpOptions = {
  clientAddress: ({ headers }) => headers["x-from"],
  authenticate: ({ headers: { cookie }, limitFailures }) =>
    cookie === undefined ? null : limitFailures(Effect.fail(refused)),
  endpoints: [
    { method: "GET", path: "/login", serve: ({ limitFailures }) => limitFailures(Effect.fail(refused)) },
    { method: "GET", path: "/open", serve: () => Effect.fail(refused) }
  ]
}

it("counts failures of a host's own authentication with bad keys", async () => {
  const setup = await makeSetup()
  const binding = webBinding(Layer.merge(setup.ports, RateLimiter.layerInProcess), options)
  const from = async (address: string, path: string, headers = {}) => {
    const request = new Request(`${binding.base}${path}`, { headers: { "x-from": address, ...headers } })
    return (await binding.send(request)).status
  }
  // Some permits return while the other requests are sent.
  let failures = 0
  while (failures < 1_000 && (await from("192.0.2.1", "/login")) === 401) {
    expect([401, 429]).toContain(await from("192.0.2.1", "/api/me", { cookie: "x" }))
    expect([401, 429]).toContain(await from("192.0.2.1", "/api/me", { "x-api-key": "nonsense" }))
    expect(await from("192.0.2.2", "/open")).toBe(401)
    expect(await from("192.0.2.2", "/api/me")).toBe(401)
    failures += 3
  }
  expect(failures).toBeGreaterThanOrEqual(297)
  expect(failures).toBeLessThan(1_000)
  expect(await from("192.0.2.1", "/open")).toBe(401)
  expect(await from("192.0.2.2", "/login")).toBe(401)
  await binding.close()
  await setup.close()
})
