import { describe, expect, it } from "@effect/vitest"
import { layer } from "@solar-sites/adapter-redis"
import { Effect, Layer, Metric, Redacted } from "effect"
import { freePort } from "./RedisServer.ts"
import {
  aPrefix,
  type Instance,
  instance,
  instanceOn,
  ownServer,
  perHour,
  timed,
  until,
  withoutProgram
} from "./Scene.ts"

/** No request waits longer than this, and this only once. */
const bound = 100

/** What shared buckets hold is not known here, so a bucket of a process alone is full. */
const sharesWith = (one: Instance, other: Instance) => {
  let round = 0
  return Effect.gen(function* () {
    const bucket = `shared ${++round}`
    yield* one.take(bucket, perHour(10))
    return (yield* other.take(bucket, perHour(10))).remaining === 8
  })
}

const fallbacks = Effect.map(Metric.snapshot, (metrics) =>
  metrics
    .flatMap((metric) =>
      metric.type === "Counter" && metric.id === "solar_sites_rate_limiter_fallbacks"
        ? [Number(metric.state.count)]
        : []
    )
    .reduce((sum, count) => sum + count, 0)
)

const lineWith = (lines: ReadonlyArray<string>, text: string) => lines.filter((line) => line.includes(text)).length

describe.skipIf(withoutProgram)("when Redis does not answer", () => {
  it.live("limits locally while it is dead, and together again once it is back", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const prefix = aPrefix()
      const [one, other] = [yield* instanceOn(server.url, prefix), yield* instanceOn(server.url, prefix)]
      expect(yield* sharesWith(one, other)).toBe(true)

      yield* Effect.promise(server.kill)
      for (let round = 0; round < 3; round++) {
        for (const { take } of [one, other]) {
          const { answer, millis } = yield* timed(take("dead", perHour(3)))
          expect(answer).toMatchObject({ allowed: true, remaining: 2 - round })
          expect(millis).toBeLessThan(bound)
        }
      }
      expect((yield* one.take("dead", perHour(3))).allowed).toBe(false)
      const { millis } = yield* timed(Effect.forEach(Array.from({ length: 500 }), () => one.take("many", perHour(9))))
      expect(millis).toBeLessThan(500)

      yield* Effect.promise(server.start)
      yield* until("sharing a limit again", sharesWith(one, other))
      for (const { lines } of [one, other]) {
        expect(lineWith(lines, "does not answer")).toBe(1)
        expect(lineWith(lines, "answers again")).toBe(1)
        expect(lines).toHaveLength(2)
      }
    })
  )

  it.live("answers in time when it is frozen, at once afterwards, and recovers when it thaws", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const prefix = aPrefix()
      const [one, other] = [yield* instanceOn(server.url, prefix), yield* instanceOn(server.url, prefix)]
      expect(yield* sharesWith(one, other)).toBe(true)

      server.freeze()
      const attempts = Array.from({ length: 100 }, () => timed(one.take("frozen", perHour(40))))
      const first = yield* Effect.all(attempts, { concurrency: "unbounded" })
      expect(Math.max(...first.map(({ millis }) => millis))).toBeLessThan(bound)
      expect(first.filter(({ answer }) => answer.allowed)).toHaveLength(40)
      const { millis } = yield* timed(Effect.forEach(Array.from({ length: 500 }), () => one.take("many", perHour(9))))
      expect(millis).toBeLessThan(500)
      expect(one.lines).toHaveLength(1)

      server.thaw()
      yield* other.take("frozen", perHour(40))
      yield* until("sharing a limit again", sharesWith(one, other))
      expect(lineWith(one.lines, "answers again")).toBe(1)
    })
  )

  it.live("asks a frozen one again only by itself, so that no request waits a second time", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const { lines, take } = yield* instanceOn(server.url)
      server.freeze()
      yield* take("frozen", perHour(1_000))
      // Longer than the pause between its tries and than all timeouts of the client.
      const deadline = performance.now() + 2_500
      let slowest = 0
      while (performance.now() < deadline) {
        slowest = Math.max(slowest, (yield* timed(take("frozen", perHour(1_000)))).millis)
        yield* Effect.sleep("10 millis")
      }
      expect(slowest).toBeLessThan(35)
      expect(lines).toHaveLength(1)
    })
  )

  it.live("starts without it, joins it later, and counts what it decided alone", () =>
    Effect.gen(function* () {
      const [port, prefix] = [yield* Effect.promise(freePort), aPrefix()]
      const url = Redacted.make(`redis://127.0.0.1:${port}`)
      const { answer: alone, millis } = yield* timed(instance(layer({ url, prefix })))
      expect(millis).toBeLessThan(2_000)
      const before = yield* fallbacks
      yield* alone.take("key", perHour(3))
      yield* alone.take("key", perHour(3))
      expect(yield* fallbacks).toBe(before + 2)
      expect(alone.lines).toHaveLength(1)
      expect(alone.lines.join()).toContain("ECONNREFUSED")

      const server = yield* ownServer(port)
      const other = yield* instanceOn(server.url, prefix)
      yield* until("sharing a limit", sharesWith(other, alone))
    })
  )

  it.live("keeps the password out of the line that says why", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const url = Redacted.make(server.url.replace("//", "//nobody:not-a-secret@"))
      const { lines, take } = yield* instance(layer({ url }))
      expect((yield* take("key", perHour(3))).allowed).toBe(true)
      expect(lines).toHaveLength(1)
      expect(lines.join()).toContain("WRONGPASS")
      expect(lines.join()).not.toContain("not-a-secret")
    })
  )

  it.live("closes in bounded time, whatever state it is in", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const [idle, frozen, dead] = [
        yield* instanceOn(server.url),
        yield* instanceOn(server.url),
        yield* instanceOn(server.url)
      ]
      expect((yield* timed(idle.close)).millis).toBeLessThan(1_000)
      server.freeze()
      expect((yield* timed(frozen.close)).millis).toBeLessThan(2_500)
      yield* Effect.promise(server.kill)
      expect((yield* timed(dead.close)).millis).toBeLessThan(2_500)
    })
  )

  it.live("does not hold up a build of the layer when a firewall swallows everything", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      server.freeze()
      const { answer, millis } = yield* timed(Layer.build(layer({ url: Redacted.make(server.url) })))
      expect(answer).toBeDefined()
      expect(millis).toBeLessThan(3_000)
    })
  )
})
