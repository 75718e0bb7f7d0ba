import { ApiKeyInvalid, ApiKeys, CurrentCaller, type RateDecision, RateLimiter } from "@solar-sites/core"
import { Clock, Duration, Effect, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { NetAddress } from "effect/net"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import type { HttpOptions } from "../src/index.ts"
import { addressLimitOf } from "../src/pipeline/FailedAuthentications.ts"
import { useMember } from "./Serving.ts"
import { aNewSite, type Binding, bindings, caller, nodeBinding, type Ports, type Setup, webBinding } from "./Setup.ts"

const { member, setup } = useMember()

const using = async <A>(binding: Binding, use: (binding: Binding) => Promise<A>): Promise<A> =>
  use(binding).finally(binding.close)

/** A limiter that allows everything, or nothing, and the buckets it was asked for. */
const recordingLimiter = (allowed = true) => {
  const buckets: Array<string> = []
  const decision: Omit<RateDecision, "bucket"> = {
    allowed,
    remaining: allowed ? 5 : 0,
    retryAfter: Duration.seconds(allowed ? 0 : 7),
    resetAfter: Duration.millis(1_001)
  }
  const layer = Layer.succeed(RateLimiter, {
    take: (bucket) => Effect.sync(() => void buckets.push(bucket)).pipe(Effect.as({ bucket, ...decision }))
  })
  return { buckets, layer }
}

/** Ports with an empty limiter of their own and a clock that only the test moves. */
const withClock = (setup: Setup) =>
  Effect.runSync(
    Effect.gen(function* () {
      const clock = yield* TestClock.make()
      const ports: Ports = Layer.mergeAll(setup.ports, RateLimiter.layerInProcess, Layer.succeed(Clock.Clock, clock))
      return { ports, advance: (duration: Duration.Input) => Effect.runPromise(clock.adjust(duration)) }
    }).pipe(Effect.scoped)
  )

describe.each(Object.entries(bindings))("the limit of a key through %s", (_, bind) => {
  it("allows a burst, then one request after the other, and reports the remaining ones", async () => {
    const { advance, ports } = withClock(setup())
    await using(await bind(ports, { rateLimitPerMinute: 3 }), async (binding) => {
      const send = caller(binding, member().key)
      const limits = async (line: string, body?: unknown) => {
        const { headers, json, status } = await send(line, { body })
        expect(headers.get("ratelimit-policy")).toBe('"key";q=3;w=60')
        return [status, headers.get("ratelimit"), headers.get("retry-after"), json?.code]
      }
      expect(await limits("GET /api/me")).toEqual([200, '"key";r=2;t=20', null, undefined])
      expect(await limits("POST /api/sites", aNewSite)).toEqual([201, '"key";r=1;t=40', null, undefined])
      expect(await limits("POST /api/sites", {})).toEqual([400, '"key";r=0;t=60', null, "validation_failed"])
      expect(await limits("POST /api/sites", aNewSite)).toEqual([429, '"key";r=0;t=60', "20", "rate_limited"])
      await advance("19999 millis")
      expect(await limits("GET /api/me")).toEqual([429, '"key";r=0;t=41', "1", "rate_limited"])
      await advance("1 millis")
      expect((await limits("GET /api/me"))[0]).toBe(200)
      const other = caller(binding, (await setup().join("Moonfield")).key)
      expect((await other("GET /api/me")).headers.get("ratelimit")).toBe('"key";r=2;t=20')
    })
  })

  it("is counted by organisation and key id, never by the key, and for API keys only", async () => {
    const { buckets, layer } = recordingLimiter()
    const options: HttpOptions = {
      authenticate: ({ headers: { cookie } }) => (cookie === "me" ? { organisationId: member().organisation.id } : null)
    }
    await using(await bind(Layer.merge(setup().ports, layer), options), async (binding) => {
      const { json } = await caller(binding, member().key)("GET /api/me")
      const own = await caller(binding, null)("GET /api/me", { headers: { cookie: "me" } })
      expect([own.status, own.headers.get("ratelimit")]).toEqual([200, null])
      expect(buckets).toEqual([`key:${member().organisation.id}:${json.apiKey.id}`])
      for (const line of ["GET /nowhere", "PATCH /api/sites", "GET /health/live", "OPTIONS /api/sites"]) {
        expect((await caller(binding, member().key)(line)).headers.get("ratelimit")).toBeNull()
      }
      expect(buckets).toHaveLength(1)
    })
  })

  it("is ten times as high for all keys of an organisation together, and is reported when it allows less", async () => {
    const { advance, ports } = withClock(setup())
    const crowd = await setup().join("Crowd")
    const create = ApiKeys.use((apiKeys) => apiKeys.create({ name: "x" })).pipe(
      Effect.provideService(CurrentCaller, crowd.caller)
    )
    const issued = await setup().run(Effect.forEach(Array.from({ length: 11 }), () => create))
    await using(await bind(ports, { rateLimitPerMinute: 2 }), async (binding) => {
      const senders = issued.map(({ secret }) => caller(binding, Redacted.value(secret)))
      const [tenth, last] = senders.slice(-2)
      if (tenth === undefined || last === undefined) return expect.unreachable("no key was made")
      for (const send of [...senders.slice(0, 9), last]) {
        for (const remaining of [1, 0]) {
          const { headers, status } = await send("GET /api/me")
          expect([status, headers.get("ratelimit")?.slice(0, 9)]).toEqual([200, `"key";r=${remaining}`])
        }
      }
      const { headers, json, status } = await tenth("GET /api/me")
      expect([status, json.code, headers.get("retry-after")]).toEqual([429, "rate_limited", "3"])
      expect(json.detail).toContain("organisation")
      expect(headers.get("ratelimit")).toBe('"organisation";r=0;t=60')
      expect(headers.get("ratelimit-policy")).toBe('"organisation";q=20;w=60')
      expect((await caller(binding, member().key)("GET /api/me")).status).toBe(200)
      await advance("3 seconds")
      expect((await tenth("GET /api/me")).status).toBe(200)
    })
  })

  it("is switched off by 0, with the limit on failures", async () => {
    const { buckets, layer } = recordingLimiter(false)
    const options = { rateLimitPerMinute: 0, clientAddress: () => "192.0.2.1" }
    await using(await bind(Layer.merge(setup().ports, layer), options), async (binding) => {
      const { headers, status } = await caller(binding, member().key)("GET /api/me")
      expect([status, headers.get("ratelimit"), headers.get("ratelimit-policy")]).toEqual([200, null, null])
      expect((await caller(binding, "nonsense")("GET /api/me")).status).toBe(401)
      expect(buckets).toEqual([])
    })
  })
})

describe.each(Object.entries(bindings))("the limit of failures through %s", (_, bind) => {
  it("refuses an address after 300 failures, whatever it sends then, and no other address", async () => {
    const { advance, ports } = withClock(setup())
    const options: HttpOptions = { clientAddress: ({ headers }) => headers["x-from"] }
    await using(await bind(ports, options), async (binding) => {
      const from = (address: string, key: string | null) =>
        caller(binding, key)("GET /api/me", { headers: { "x-from": address } })
      const wrong = `${member().key.slice(0, -1)}!`
      for (let failures = 0; failures < 300; failures++) {
        expect((await from("192.0.2.1", wrong)).status).toBe(401)
        if (failures % 100 === 0) expect((await from("192.0.2.1", member().key)).status).toBe(200)
      }
      for (const key of [member().key, null, wrong]) {
        const { headers, json, status } = await from("192.0.2.1", key)
        expect([status, json.code, headers.get("retry-after")]).toEqual([429, "rate_limited", "1"])
        expect([headers.get("ratelimit"), headers.get("www-authenticate")]).toEqual([null, null])
      }
      expect((await from("192.0.2.2", member().key)).status).toBe(200)
      expect((await from("192.0.2.2", null)).status).toBe(401)
      await advance("200 millis")
      expect((await from("192.0.2.1", wrong)).status).toBe(401)
      expect((await from("192.0.2.1", wrong)).status).toBe(429)
    })
  })

  it("asks the limiter once, never about a missing key, and remembers the decision in process", async () => {
    const { buckets, layer } = recordingLimiter(false)
    const options = { rateLimitPerMinute: 5, clientAddress: () => "2001:db8:1:2:3:4:5:6" }
    await using(await bind(Layer.merge(setup().ports, layer), options), async (binding) => {
      for (const headers of [{}, { "x-api-key": "" }, { authorization: `Bearer ${member().key}` }]) {
        expect((await caller(binding, null)("GET /api/me", { headers })).json.code).toBe("api_key_missing")
      }
      for (let attempt = 0; attempt < 3; attempt++) {
        const { headers, status } = await caller(binding, "nonsense")("GET /api/me")
        expect(status).toBe(429)
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(attempt === 0 ? 6 : 0)
      }
      expect(buckets).toEqual(["address:2001:db8:1:2::/64"])
    })
  })
})

describe("remembered addresses", () => {
  it("are bounded: the one stopped longest ago is forgotten first, and the limiter is asked again", async () => {
    const { buckets, layer } = recordingLimiter(false)
    let address = NetAddress.ipv4Loopback
    const request = HttpServerRequest.fromWeb(new Request("http://localhost/api/me"))
    const attempts = Effect.gen(function* () {
      const limit = addressLimitOf(yield* RateLimiter, () => address)
      const attempt = (number: number) => {
        address = NetAddress.ipv4FromBytesUnsafe(new Uint8Array([10, number >> 16, (number >> 8) & 255, number & 255]))
        return Effect.flip(limit(request, Effect.fail(new ApiKeyInvalid())))
      }
      for (let number = 0; number <= 10_000; number++) yield* attempt(number)
      expect(buckets).toHaveLength(10_001)
      yield* attempt(10_000)
      yield* attempt(1)
      expect(buckets).toHaveLength(10_001)
      yield* attempt(0)
      expect(buckets.slice(10_001)).toEqual(["address:10.0.0.0"])
    })
    // Addresses are forgotten after seven seconds, which the attempts may take on a busy machine.
    await Effect.runPromise(Effect.provide(attempts, Layer.merge(layer, TestClock.layer())))
  })
})

describe("the address of a request", () => {
  const bucketOf = async (options: HttpOptions, headers: Record<string, string> = {}) => {
    const { buckets, layer } = recordingLimiter()
    await using(await nodeBinding(Layer.merge(setup().ports, layer), options), (binding) =>
      caller(binding, "nonsense")("GET /api/me", { headers })
    )
    return buckets.join()
  }

  it.each([
    [[], "198.51.100.1", "127.0.0.1"],
    [["10.0.0.0/8"], "198.51.100.1", "127.0.0.1"],
    [["127.0.0.1"], "198.51.100.1", "198.51.100.1"],
    [["::ffff:127.0.0.0/104"], "198.51.100.1", "198.51.100.1"],
    [["127.0.0.0/8"], "203.0.113.9, 198.51.100.1", "198.51.100.1"],
    [["127.0.0.0/8", "10.0.0.0/8"], "203.0.113.9,198.51.100.1 ,10.1.2.3", "198.51.100.1"],
    [["127.0.0.0/8", "10.0.0.0/8"], "10.0.0.1, 10.0.0.2", "10.0.0.1"],
    [["127.0.0.1", "fd00::/8"], "2001:DB8::1, fd00::7", "2001:db8::/64"],
    [["127.0.0.1"], "::ffff:198.51.100.1", "198.51.100.1"],
    [["127.0.0.1"], "198.51.100.1:4711", "198.51.100.1"],
    [["127.0.0.1"], "[2001:db8::1]:443", "2001:db8::/64"],
    [["127.0.0.1"], "198.51.100.1, unknown", "127.0.0.1"],
    [["127.0.0.1"], "", "127.0.0.1"],
    [["127.0.0.1"], "198.51.100.999", "127.0.0.1"]
  ])("behind %j with %j is %s", async (trustedProxies, forwardedFor, address) => {
    expect(await bucketOf({ trustedProxies }, { "x-forwarded-for": forwardedFor })).toBe(`address:${address}`)
  })

  it("is the socket's without a proxy, and unknown without a socket", async () => {
    expect(await bucketOf({ trustedProxies: ["127.0.0.1"] })).toBe("address:127.0.0.1")
    const { buckets, layer } = recordingLimiter(false)
    await using(webBinding(Layer.merge(setup().ports, layer)), async (binding) => {
      expect((await caller(binding, "nonsense")("GET /api/me")).status).toBe(401)
    })
    expect(buckets).toEqual([])
  })

  it.each([
    { trustedProxies: ["localhost"] },
    { trustedProxies: ["10.0.0.0/33"] },
    { rateLimitPerMinute: -1 },
    { rateLimitPerMinute: 1.5 }
  ])("refuses options that cannot be read: %j", (options) => {
    expect(() => webBinding(setup().ports, options)).toThrow(Object.keys(options)[0])
  })
})
