import { describe, expect, it } from "@effect/vitest"
import { layer } from "@solar-sites/adapter-redis"
import { Effect, Metric, Redacted } from "effect"
import { freePort } from "./RedisServer.ts"
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

/** No request waits longer than this, and this only once. */
const bound = 50

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

/** What it has said of losing and regaining Redis, in turn. */
const saidBy = ({ lines }: Instance) => lines.map((line) => /does not answer|answers again/.exec(line)?.[0] ?? line)

/** A busy machine may find Redis slow more than once, and say so: each time once, until it answers again. */
const expectTurns = (one: Instance, last: "does not answer" | "answers again") => {
  const said = saidBy(one)
  expect(said).toEqual(said.map((_, index) => (index % 2 === 0 ? "does not answer" : "answers again")))
  expect(said.at(-1)).toBe(last)
}

describe.skipIf(withoutProgram)("when Redis does not answer", () => {
  it.live("limits locally while it is dead, and together again once it is back", () =>
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

  it.live("asks a frozen one again only by itself, so that no request waits a second time", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const prefix = aPrefix()
      const [one, other] = [yield* instanceOn(server.url, prefix), yield* instanceOn(server.url, prefix)]
      server.freeze()
      // Longer than the pause between its tries and than all timeouts of the client.
      const deadline = performance.now() + 2_500
      while (performance.now() < deadline) {
        yield* within(bound, one.take("frozen", perHour(1_000)))
        yield* Effect.sleep("10 millis")
      }
      expectTurns(one, "does not answer")
      // What was asked of it is done once it thaws: the first request alone, if any.
      server.thaw()
      yield* until("sharing a limit again", sharesWith(one, other))
      expect((yield* other.take("frozen", perHour(1_000))).remaining).toBeGreaterThanOrEqual(997)
    })
  )

  it.live("starts without it, joins it later, and counts what it decided alone", () =>
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
      yield* within(1_000, idle.close)
      server.freeze()
      yield* within(2_500, frozen.close)
      yield* Effect.promise(server.kill)
      yield* within(2_500, dead.close)
    })
  )

  it.live("does not hold up a build of the layer when a firewall swallows everything", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      server.freeze()
      const { lines } = yield* within(3_000, instanceOn(server.url))
      expect(lines).toHaveLength(1)
    })
  )
})
