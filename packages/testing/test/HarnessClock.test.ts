import { createServer } from "node:http"
import { SolarSitesServices } from "@solar-sites/core"
import { toNodeListener } from "@solar-sites/http-node"
import { SolarSitesHarness } from "@solar-sites/testing"
import { DateTime, Effect, Layer, ManagedRuntime } from "effect"
import { TestClock } from "effect/testing"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { aNewSite, bytes, type Call, calling, issue } from "./HarnessCalls.ts"

const startsAt = "2026-06-01T09:00:00.000Z"

let harness: SolarSitesHarness.Harness
let call: Call
beforeEach(async () => {
  harness = await SolarSitesHarness.make()
  call = calling(harness.fetch, (await harness.createOrganisation("Sunfield Energy")).apiKey)
})
afterEach(() => harness.dispose())

const createdAt = async (send: Call = call): Promise<string> => (await send("POST /api/sites", aNewSite)).json.createdAt

describe("the clock of a harness", () => {
  it("stands until it is advanced", async () => {
    expect([await createdAt(), await createdAt()]).toEqual([startsAt, startsAt])
    await harness.advance("90 minutes")
    expect(await createdAt()).toBe("2026-06-01T10:30:00.000Z")
    await harness.advance({ milliseconds: 1 })
    expect(await createdAt()).toBe("2026-06-01T10:30:00.001Z")
  })

  it("advances only forward, by valid durations", async () => {
    await expect(harness.advance("-1 seconds")).rejects.toThrow(RangeError)
    await expect(harness.advance(Number.POSITIVE_INFINITY)).rejects.toThrow(RangeError)
    expect(await createdAt()).toBe(startsAt)
  })

  it.each([
    ["NaN", Number.NaN],
    ["[object Object]", { seconds: Number.NaN }],
    ["undefined", undefined],
    ["null", null],
    ['"61 secs"', "61 secs"]
  ])("says what a duration is where it is given %s", async (words, given) => {
    // Like a call from JavaScript, without type checks.
    const advance: (input: never) => Promise<void> = harness.advance
    const sentence = `harness.advance: expected a finite duration of at least zero, such as "61 seconds", not ${words}`
    await expect(advance(given as never)).rejects.toThrow(new RangeError(sentence))
    expect(await createdAt()).toBe(startsAt)
  })

  it("travels with the layer into a server that is mounted elsewhere", async () => {
    const solar = toNodeListener(harness.layer)
    const server = createServer(solar.listener)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const base = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
    const { apiKey } = await harness.createOrganisation("Moonfield Energy")
    const mounted = calling((request) => {
      const { pathname } = new URL(request.url)
      return fetch(new Request(`${base}${pathname}`, request))
    }, apiKey)
    await harness.advance("1 hour")
    expect(await createdAt(mounted)).toBe("2026-06-01T10:00:00.000Z")
    expect((await calling(harness.fetch, apiKey)("GET /api/sites")).json.data).toHaveLength(1)
    server.close()
    server.closeAllConnections()
    await solar.close()
  })

  it("is the clock of every program over the layer, and can be advanced from there", async () => {
    const rules = Layer.provideMerge(SolarSitesServices.layer, harness.layer)
    const runtime = ManagedRuntime.make(rules)
    const program = Effect.andThen(TestClock.adjust("1 minute"), DateTime.now)
    expect(DateTime.formatIso(await runtime.runPromise(program))).toBe("2026-06-01T09:01:00.000Z")
    expect(await createdAt()).toBe("2026-06-01T09:01:00.000Z")
    await runtime.dispose()
  })
})

describe("what comes due while the clock is advanced", () => {
  const statusOf = async (documentId: string) => (await call(`GET /api/docs/${documentId}`)).json

  it("fails a document for which nothing has arrived, at the end of its grace period", async () => {
    const { documentId } = await issue(call)
    await harness.advance("15 minutes")
    expect((await statusOf(documentId)).status).toBe("pending")
    await harness.advance("90 seconds")
    expect(await statusOf(documentId)).toMatchObject({ status: "failed", updatedAt: "2026-06-01T09:16:00.000Z" })
  })

  it("has happened by then, however much it is", async () => {
    const many = await Promise.all(Array.from({ length: 60 }, () => issue(call)))
    for (const { uploadUrl } of many) {
      harness.failNext("DocumentRepository.findById")
      await harness.upload(uploadUrl, bytes(3))
    }
    await harness.advance("61 seconds")
    const { json } = await call("GET /api/docs?status=uploaded")
    expect(json.data).toHaveLength(60)
  })

  it("writes down the last use of a key", async () => {
    await call("GET /api/sites")
    await harness.advance("31 seconds")
    expect((await call("GET /api/me")).json.apiKey.lastUsedAt).toBe(startsAt)
  })

  it("ends the life of a key", async () => {
    await harness.advance("364 days")
    expect((await call("GET /api/sites")).status).toBe(200)
    await harness.advance("1 day")
    expect((await call("GET /api/sites")).json.code).toBe("api_key_expired")
  })

  it("wakes each sleeper of a long advance, and lives through its first hour tick by tick", async () => {
    const runtime = ManagedRuntime.make(harness.layer)
    const woken: Array<string> = []
    const every = (minutes: number) =>
      Effect.forever(
        Effect.sleep(`${minutes} minutes`).pipe(
          Effect.andThen(DateTime.now),
          Effect.tap((now) => Effect.sync(() => woken.push(`${minutes}: ${DateTime.formatIso(now).slice(5, 16)}`)))
        )
      )
    runtime.runFork(every(25))
    runtime.runFork(every(90))
    await harness.advance("10 days")
    expect(woken).toEqual([
      "25: 06-01T09:25",
      "25: 06-01T09:50",
      "25: 06-01T10:15",
      "90: 06-01T10:30",
      "25: 06-11T09:00",
      "90: 06-11T09:00"
    ])
    await runtime.dispose()
  })
})
