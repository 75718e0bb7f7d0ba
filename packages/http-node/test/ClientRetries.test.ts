import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import {
  type SolarSitesClient,
  SolarSitesNetworkError,
  SolarSitesProblem,
  SolarSitesTimeoutError
} from "../src/client/index.ts"
import { exampleNewSite, exampleSite } from "../src/contract/Examples.ts"
import { refusal, rejection, scriptedClient, success } from "./ClientSetup.ts"

// Fake timers: no test waits.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }))
afterEach(() => void vi.useRealTimers())

/**
 * Runs timers until the promise is settled. Not all of them: code of an earlier file in this worker
 * may still set new ones.
 */
const settled = async <A>(promise: Promise<A>): Promise<A> => {
  let isPending = true
  const end = () => {
    isPending = false
  }
  promise.then(end, end)
  while (isPending) await vi.advanceTimersToNextTimerAsync()
  return promise
}

const lost = () => new TypeError("fetch failed")
const never = () => new Promise<Response>(() => {})
const gone = () => new Response(null, { status: 204 })
const gateway = () => new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "content-type": "text/html" } })
const newSite = { ...exampleNewSite, unit: "MW" } as const

const calls: Readonly<Record<"GET" | "POST" | "PUT" | "DELETE", (client: SolarSitesClient) => Promise<unknown>>> = {
  GET: ({ sites }) => sites.get(exampleSite.id),
  POST: ({ sites }) => sites.create(newSite),
  PUT: ({ sites }) => sites.update(exampleSite.id, { address: null }),
  DELETE: ({ sites }) => sites.delete(exampleSite.id)
}

describe.each(Object.entries(calls))("a %s", (method, call) => {
  it.each([
    ["a lost connection", lost],
    ["too many requests", () => refusal("rate_limited", { "retry-after": "1" })],
    ["an unavailable database", () => refusal("database_unavailable", { "retry-after": "1" })],
    ["a bad gateway", gateway]
  ])("is retried after %s", async (_, failure) => {
    const { client, seen } = scriptedClient([failure(), failure(), method === "DELETE" ? gone() : success(exampleSite)])
    expect(await settled(call(client))).toEqual(method === "DELETE" ? undefined : exampleSite)
    expect(seen).toHaveLength(3)
    expect(new Set(seen.map(({ body, line }) => `${line} ${body}`)).size).toBe(1)
    const keys = seen.map(({ headers }) => headers.get("idempotency-key"))
    expect(new Set(keys).size).toBe(1)
    if (method === "POST") expect(keys[0]).toMatch(/^[\x21-\x7e]{16,255}$/)
    else expect(keys[0]).toBeNull()
  })

  it.each(["validation_failed", "api_key_invalid", "site_not_found", "precondition_failed", "internal"] as const)(
    "is not retried after %s",
    async (code) => {
      const { client, seen } = scriptedClient([refusal(code)])
      expect(await rejection(settled(call(client)))).toMatchObject({ code, attempts: 1 })
      expect(seen).toHaveLength(1)
    }
  )

  it("fails with the last error after four attempts, or after one with retry: false", async () => {
    const retrying = scriptedClient([lost(), lost(), lost(), refusal("shutting_down", { "retry-after": "1" })])
    expect(await rejection(settled(call(retrying.client)))).toMatchObject({ code: "shutting_down", attempts: 4 })
    expect(retrying.seen).toHaveLength(4)
    const single = scriptedClient([lost()], { retry: false })
    expect(await rejection(settled(call(single.client)))).toBeInstanceOf(SolarSitesNetworkError)
  })
})

describe("the pauses", () => {
  it("grow exponentially with jitter", async () => {
    const pausesOf = async () => {
      const { client, seen } = scriptedClient([lost(), lost(), lost(), success({})])
      await settled(client.me())
      return seen.slice(1).map(({ at }, index) => at - (seen[index]?.at ?? 0))
    }
    const all = await Array.from({ length: 20 }).reduce<Promise<Array<Array<number>>>>(
      async (before) => [...(await before), await pausesOf()],
      Promise.resolve([])
    )
    for (const [index, ceiling] of [250, 500, 1_000].entries()) {
      const pauses = all.map((pauses) => pauses[index] ?? 0)
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(ceiling / 2)
      expect(Math.max(...pauses)).toBeLessThanOrEqual(ceiling)
      expect(new Set(pauses).size).toBeGreaterThan(1)
    }
  })

  it.each([
    ["seconds", { "retry-after": "7" }],
    [
      "a date of the clock of the service",
      { date: "Mon, 05 Jan 2026 08:30:00 GMT", "retry-after": "Mon, 05 Jan 2026 08:30:07 GMT" }
    ]
  ])("are as long as Retry-After says in %s", async (_, headers) => {
    const { client, seen } = scriptedClient([refusal("rate_limited", headers), success({})])
    await settled(client.me())
    const waited = (seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)
    expect(waited).toBeGreaterThanOrEqual(7_000)
    expect(waited).toBeLessThanOrEqual(7_250)
  })

  it("do not start if Retry-After exceeds the maximum wait", async () => {
    const { client, seen } = scriptedClient([refusal("rate_limited", { "retry-after": "60" })])
    const error = await rejection(settled(client.me()))
    expect(error).toMatchObject({ code: "rate_limited", retryAfter: 60 })
    expect(seen).toHaveLength(1)
    const retrying = scriptedClient([refusal("rate_limited", { "retry-after": "60" }), success({ ok: 1 })], {
      retry: { attempts: 2, maximumWaitMillis: 61_000 }
    })
    expect(await settled(retrying.client.me())).toEqual({ ok: 1 })
  })
})

describe("an attempt with an unknown outcome", () => {
  it("makes a retried deletion succeed if the resource is gone, unless the attempt was refused", async () => {
    const unsure = scriptedClient([lost(), refusal("site_not_found")])
    expect(await settled(calls.DELETE(unsure.client))).toBeUndefined()
    const sure = scriptedClient([refusal("rate_limited"), refusal("site_not_found")])
    expect(await rejection(settled(calls.DELETE(sure.client)))).toMatchObject({ code: "site_not_found", attempts: 2 })
    const nowhere = scriptedClient([lost(), refusal("route_not_found")])
    expect(await rejection(settled(calls.DELETE(nowhere.client)))).toMatchObject({ code: "route_not_found" })
    const members = scriptedClient([lost(), refusal("site_not_in_portfolio")])
    const removing = members.client.portfolios.removeSites(exampleSite.id, [exampleSite.id])
    expect(await rejection(settled(removing))).toMatchObject({ code: "site_not_in_portfolio", attempts: 2 })
  })

  it("is awaited while it is running, but not another request with the same key", async () => {
    const own = scriptedClient([
      lost(),
      refusal("idempotency_key_in_use", { "retry-after": "1" }),
      success(exampleSite)
    ])
    expect(await settled(calls.POST(own.client))).toEqual(exampleSite)
    const others = scriptedClient([refusal("idempotency_key_in_use", { "retry-after": "1" })])
    expect(await rejection(settled(calls.POST(others.client)))).toBeInstanceOf(SolarSitesProblem)
  })

  it("is retried if its response is incomplete", async () => {
    const broken = new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode('{"data":['))
          controller.error(new Error("cut"))
        }
      })
    )
    const { client, seen } = scriptedClient([broken, success({ data: [], nextCursor: null })])
    expect((await settled(client.sites.list())).data).toEqual([])
    expect(seen).toHaveLength(2)
  })
})

describe("the timeout", () => {
  it("ends each attempt, even if fetch ignores its signal", async () => {
    const { client, seen } = scriptedClient([never, never, success({})], { timeoutMillis: 1_000 })
    await settled(client.me())
    expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThanOrEqual(1_000)
    const single = scriptedClient([never], { retry: false })
    const started = Date.now()
    const error = await rejection(settled(single.client.me({ timeoutMillis: 50 })))
    expect(error).toBeInstanceOf(SolarSitesTimeoutError)
    expect(error).toBeInstanceOf(SolarSitesNetworkError)
    expect(error).toMatchObject({ code: "timed_out", message: "GET /api/me got no answer within 50 ms." })
    expect(Date.now() - started).toBe(50)
  })

  it("is 30 seconds by default, and off with Infinity", async () => {
    const usual = scriptedClient([never], { retry: false })
    const started = Date.now()
    await rejection(settled(usual.client.me()))
    expect(Date.now() - started).toBe(30_000)
    const slow = scriptedClient(
      [() => new Promise((resolve) => setTimeout(() => resolve(success({ a: 1 })), 90_000))],
      {
        timeoutMillis: Number.POSITIVE_INFINITY
      }
    )
    expect(await settled(slow.client.me())).toEqual({ a: 1 })
  })
})

describe("an AbortSignal", () => {
  const reason = new Error("cancelled by the test")

  it("cancels a running request at once, with its reason", async () => {
    const controller = new AbortController()
    let received: AbortSignal | undefined
    const { client, seen } = scriptedClient([
      (request) => {
        received = request.signal
        return never()
      }
    ])
    const call = rejection(client.me({ signal: controller.signal }))
    await vi.advanceTimersByTimeAsync(0)
    controller.abort(reason)
    expect(await call).toBe(reason)
    expect([received?.aborted, seen.length, vi.getTimerCount()]).toEqual([true, 1, 0])
  })

  it("cancels a pause", async () => {
    const controller = new AbortController()
    const { client, seen } = scriptedClient([refusal("rate_limited", { "retry-after": "5" })])
    const call = rejection(client.me({ signal: controller.signal }))
    await vi.advanceTimersByTimeAsync(1_000)
    controller.abort(reason)
    expect(await call).toBe(reason)
    expect([seen.length, vi.getTimerCount()]).toEqual([1, 0])
  })

  it("that is already aborted sends nothing", async () => {
    const { client, seen } = scriptedClient([])
    expect(await rejection(client.me({ signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(seen).toEqual([])
  })

  it("ends an iteration", async () => {
    const controller = new AbortController()
    const { client } = scriptedClient([success({ data: [exampleSite], nextCursor: "next" })])
    const iterate = async () => {
      for await (const _site of client.sites.iterate({}, { signal: controller.signal })) controller.abort(reason)
    }
    expect(await rejection(iterate())).toBe(reason)
  })
})
