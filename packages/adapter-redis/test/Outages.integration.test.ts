import { describe, expect, it } from "@effect/vitest"
import { layer } from "@solar-sites/adapter-redis"
import { Effect, Metric, Redacted } from "effect"
import { freePort } from "../../../scripts/freePort.ts"
import {
  aPrefix,
  type Instance,
  instance,
  instanceOn,
  ownServer,
  patientOn,
  perHour,
  until,
  within,
  withoutProgram
} from "./Setup.ts"

/** Longest wait of a request, in milliseconds; it happens once. */
const bound = 50

/** True if the instances share buckets: a bucket in process would be full. */
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

/** Log lines about the loss and return of Redis, in order. */
const saidBy = ({ lines }: Instance) => lines.map((line) => /does not answer|answers again/.exec(line)?.[0] ?? line)

/** On a busy machine Redis may be lost more than once; each loss is logged once. */
const expectTurns = (one: Instance, last: "does not answer" | "answers again") => {
  const said = saidBy(one)
  expect(said).toEqual(said.map((_, index) => (index % 2 === 0 ? "does not answer" : "answers again")))
  expect(said.at(-1)).toBe(last)
}

describe.skipIf(withoutProgram)("when Redis does not answer", () => {
  it.live("limits in process while it is dead, and shares limits again after its return", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const prefix = aPrefix()
      const [one, other] = [yield* patientOn(server.url, prefix), yield* patientOn(server.url, prefix)]
      yield* until("sharing a limit", sharesWith(one, other))

      yield* Effect.promise(server.kill)
      for (let round = 0; round < 3; round++) {
        for (const { take } of [one, other]) {
          const decision = yield* within(bound, take("dead", perHour(3)))
          expect(decision).toMatchObject({ allowed: true, remaining: 2 - round })
        }
      }
      expect((yield* one.take("dead", perHour(3))).allowed).toBe(false)
      yield* within(
        500,
        Effect.forEach(Array.from({ length: 500 }), () => one.take("many", perHour(9)))
      )

      yield* Effect.promise(server.start)
      yield* until("sharing a limit again", sharesWith(one, other))
      for (const each of [one, other]) expectTurns(each, "answers again")
    })
  )

  it.live("answers in time when it is frozen, at once afterwards, and recovers when it thaws", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const prefix = aPrefix()
      const [one, other] = [yield* instanceOn(server.url, prefix), yield* instanceOn(server.url, prefix)]
      yield* until("sharing a limit", sharesWith(one, other))

      server.freeze()
      const attempts = Array.from({ length: 100 }, () => within(bound, one.take("frozen", perHour(40))))
      const first = yield* Effect.all(attempts, { concurrency: "unbounded" })
      expect(first.filter(({ allowed }) => allowed)).toHaveLength(40)
      yield* within(
        500,
        Effect.forEach(Array.from({ length: 500 }), () => one.take("many", perHour(9)))
      )
      expectTurns(one, "does not answer")

      server.thaw()
      yield* other.take("frozen", perHour(40))
      yield* until("sharing a limit again", sharesWith(one, other))
      expectTurns(one, "answers again")
    })
  )

  it.live("probes a frozen server in the background, so that no request waits a second time", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const prefix = aPrefix()
      const [one, other] = [yield* instanceOn(server.url, prefix), yield* instanceOn(server.url, prefix)]
      server.freeze()
      // Longer than the probe interval and all timeouts of the client.
      const deadline = performance.now() + 2_500
      while (performance.now() < deadline) {
        yield* within(bound, one.take("frozen", perHour(1_000)))
        yield* Effect.sleep("10 millis")
      }
      expectTurns(one, "does not answer")
      // Commands sent while it was frozen run after the thaw: at most the first request.
      server.thaw()
      yield* until("sharing a limit again", sharesWith(one, other))
      expect((yield* other.take("frozen", perHour(1_000))).remaining).toBeGreaterThanOrEqual(997)
    })
  )

  it.live("starts without it, uses it later, and counts decisions taken in process", () =>
    Effect.gen(function* () {
      const [port, prefix] = [yield* Effect.promise(freePort), aPrefix()]
      const url = Redacted.make(`redis://127.0.0.1:${port}`)
      const alone = yield* within(2_000, instance(layer({ url, prefix })))
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

  it.live("keeps the password out of the log", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const url = Redacted.make(server.url.replace("//", "//unknown:not-a-secret@"))
      const { lines, take } = yield* instance(layer({ url }))
      expect((yield* take("key", perHour(3))).allowed).toBe(true)
      expect(lines).toHaveLength(1)
      expect(lines.join()).toContain("WRONGPASS")
      expect(lines.join()).not.toContain("not-a-secret")
    })
  )

  it.live("closes in bounded time, in any state", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const [idle, frozen, dead] = [
        yield* instanceOn(server.url),
        yield* instanceOn(server.url),
        yield* instanceOn(server.url)
      ]
      yield* within(1_000, idle.close)
      server.freeze()
      yield* within(2_500, frozen.close)
      yield* Effect.promise(server.kill)
      yield* within(2_500, dead.close)
    })
  )

  it.live("builds the layer in bounded time when a firewall drops all packets", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      server.freeze()
      const { lines } = yield* within(3_000, instanceOn(server.url))
      expect(lines).toHaveLength(1)
    })
  )
})
