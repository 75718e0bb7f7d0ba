import { Deferred, Effect, Exit, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { makeFairShares } from "../src/pipeline/FairShares.ts"
import { aNewSite, caller, makeSetup, nodeBinding } from "./Setup.ts"

/** Requests that run until they are finished, by organisation. */
const start = (mostWaiting = 1_000) => {
  let now = 0
  const shareOf = makeFairShares(
    () => mostWaiting,
    () => now
  )
  const running = new Map<string, Array<Deferred.Deferred<string>>>()
  const runningOf = (organisation: string) => running.get(organisation) ?? []
  const send = (organisation: string) => {
    const answer = Effect.suspend(() => {
      const done = Deferred.makeUnsafe<string>()
      running.set(organisation, [...runningOf(organisation), done])
      return Effect.onExit(Deferred.await(done), () =>
        Effect.sync(() => {
          running.set(
            organisation,
            runningOf(organisation).filter((other) => other !== done)
          )
        })
      )
    })
    return Effect.runFork(shareOf(organisation)(answer))
  }
  return {
    shareOf,
    send,
    sendMany: (organisation: string, count: number) => Array.from({ length: count }, () => send(organisation)),
    running: (organisation: string) => runningOf(organisation).length,
    /** Finishes the request that has run longest. */
    finish: (organisation: string) =>
      Effect.runSync(Deferred.succeed(runningOf(organisation)[0] as Deferred.Deferred<string>, "done")), // It has one.
    advance: (millis: number) => {
      now += millis
    }
  }
}

const outcome = <E>(fiber: Fiber.Fiber<string, E>) => Effect.runPromise(Fiber.await(fiber))

describe("the shares of organisations", () => {
  it("let an organisation that is alone run 64 requests at once, and refuse none", () => {
    const { finish, running, sendMany } = start(0)
    sendMany("a", 100)
    expect(running("a")).toBe(64)
    for (let count = 0; count < 40; count += 1) finish("a")
    expect(running("a")).toBe(60)
  })

  it("bound a flood, in order of arrival, while another organisation has requests", async () => {
    const { finish, running, send, sendMany } = start()
    send("b")
    const fibers = sendMany("a", 20)
    expect(running("a")).toBe(8)
    send("b")
    expect(running("b")).toBe(2)
    finish("a")
    expect(running("a")).toBe(8)
    for (let count = 1; count < 20; count += 1) finish("a")
    const outcomes = await Promise.all(fibers.map(outcome))
    expect(outcomes.every(Exit.isSuccess)).toBe(true)
    expect(running("a")).toBe(0)
  })

  it("become smaller for more organisations, down to four requests at once", () => {
    const { running, sendMany } = start()
    const names = Array.from({ length: 10 }, (_, index) => `organisation ${index}`)
    for (const name of names) sendMany(name, 1)
    for (const name of names) sendMany(name, 10)
    expect(names.map(running)).toEqual(names.map(() => 4))
  })

  it("refuse what would wait too long, of that organisation only", async () => {
    const { running, send, sendMany } = start(30)
    send("b")
    const fibers = sendMany("a", 8 + 10 + 1)
    const refused = await outcome(fibers[18] as Fiber.Fiber<string, unknown>) // There are 19.
    expect(Exit.isFailure(refused) && refused.cause.reasons).toMatchObject([{ error: { code: "overloaded" } }])
    send("b")
    expect(running("b")).toBe(2)
  })

  it("are free again after requests that were interrupted, waiting or running", async () => {
    const { running, send, sendMany } = start()
    send("b")
    const fibers = sendMany("a", 20)
    await Effect.runPromise(Fiber.interruptAll(fibers.slice(4, 12)))
    expect(running("a")).toBe(8)
    await Effect.runPromise(Fiber.interruptAll(fibers))
    expect(running("a")).toBe(0)
    sendMany("a", 20)
    expect(running("a")).toBe(8)
  })

  it("end a second after the last request of others", () => {
    const { advance, finish, running, send, sendMany } = start()
    send("b")
    sendMany("a", 20)
    advance(999)
    finish("a")
    expect(running("a")).toBe(8)
    advance(1)
    finish("a")
    expect(running("a")).toBe(18)
  })

  it("take any number of requests that end at once", async () => {
    const { finish, send, sendMany, shareOf } = start(100_000)
    send("b")
    sendMany("a", 8)
    const fibers = Array.from({ length: 20_000 }, () => Effect.runFork(shareOf("a")(Effect.succeed("done"))))
    finish("a")
    const outcomes = await Promise.all(fibers.map(outcome))
    expect(outcomes.every(Exit.isSuccess)).toBe(true)
  })
})

describe("a listener", () => {
  it("serves a flood of one organisation and the requests of another", async () => {
    const setup = await makeSetup()
    const binding = await nodeBinding(setup.ports, { rateLimitPerMinute: 0 })
    const [flood, other] = [
      caller(binding, (await setup.join("Flood")).key),
      caller(binding, (await setup.join("Other")).key)
    ]
    const create = (send: typeof flood) => send("POST /api/sites", { body: aNewSite })
    const answers = await Promise.all([
      create(other),
      ...Array.from({ length: 40 }, () => create(flood)),
      other("GET /api/sites")
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, ...Array.from({ length: 40 }, () => 201), 200])
    expect((await flood("GET /api/sites")).json.data).toHaveLength(40)
    await binding.close()
    await setup.close()
  })
})
