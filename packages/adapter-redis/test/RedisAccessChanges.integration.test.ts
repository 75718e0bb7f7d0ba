import { describe, expect, it } from "@effect/vitest"
import type { AccessChange } from "@solar-sites/core"
import { anApiKey, anOrganisationId } from "@solar-sites/testing"
import { Effect, type Scope } from "effect"
import { Redis } from "ioredis"
import {
  aPrefix,
  type Instance,
  instanceOn,
  ownServer,
  sharedUrl,
  until,
  within,
  withoutProgram,
  withoutRedis
} from "./Setup.ts"

/** What an instance hears, in order. Every subscription begins with everything. */
const notebook = Effect.fnUntraced(function* ({ listen }: Instance) {
  const heard: Array<AccessChange> = []
  yield* listen((change) => Effect.sync(() => void heard.push(change)))
  return heard
})

const everything = (heard: ReadonlyArray<AccessChange>) => heard.filter((change) => change === "everything").length
const precise = (heard: ReadonlyArray<AccessChange>) => heard.filter((change) => change !== "everything")

/** Waits until everything was said so often. */
const settledAt = (heard: ReadonlyArray<AccessChange>, times: number) =>
  until(
    `hearing of everything ${times} times`,
    Effect.sync(() => everything(heard) >= times)
  )

const client = (url: string): Effect.Effect<Redis, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => new Redis(url).on("error", () => {})),
    (redis) => Effect.sync(() => redis.disconnect())
  )

describe.skipIf(withoutRedis)("changes of access over Redis", () => {
  it.live("reach the other instances within a second, and come back to nobody", () =>
    Effect.gen(function* () {
      const prefix = aPrefix()
      const [one, other] = [yield* instanceOn(sharedUrl, prefix), yield* instanceOn(sharedUrl, prefix)]
      const [heardByOne, heardByOther] = [yield* notebook(one), yield* notebook(other)]
      const organisationId = anOrganisationId()
      const published = [{ organisationId, apiKeyId: anApiKey().id }, { organisationId }, { organisationId }]
      for (const change of published) yield* one.publish(change)
      yield* until(
        "hearing of all",
        Effect.sync(() => precise(heardByOther).length >= 3),
        1_000
      )
      // The answer of the other one comes after whatever came back of the first one's own.
      yield* other.publish({ organisationId, apiKeyId: "last" })
      yield* until(
        "the answer",
        Effect.sync(() => precise(heardByOne).length >= 4),
        1_000
      )
      expect(precise(heardByOther)).toEqual([...published, { organisationId, apiKeyId: "last" }])
      expect(precise(heardByOne)).toEqual([...published, { organisationId, apiKeyId: "last" }])
    })
  )

  it.live("that everything may have changed is told too", () =>
    Effect.gen(function* () {
      const prefix = aPrefix()
      const [one, other] = [yield* instanceOn(sharedUrl, prefix), yield* instanceOn(sharedUrl, prefix)]
      const heard = yield* notebook(other)
      yield* Effect.sleep("20 millis")
      const before = everything(heard)
      yield* one.publish("everything")
      yield* until(
        "hearing of it",
        Effect.sync(() => everything(heard) > before)
      )
    })
  )

  it.live("in words that nobody understands mean everything", () =>
    Effect.gen(function* () {
      const prefix = aPrefix()
      const heard = yield* notebook(yield* instanceOn(sharedUrl, prefix))
      const stranger = yield* client(sharedUrl)
      for (const text of ["", "null", "{", `{"from":"x","change":{"organisationId":"no id"}}`, `{"version":2}`]) {
        const before = everything(heard)
        yield* Effect.promise(() => stranger.publish(`${prefix}access-changes`, text))
        yield* until(
          `hearing of ${text}`,
          Effect.sync(() => everything(heard) > before)
        )
      }
      expect(precise(heard)).toEqual([])
    })
  )

  it.live("travel as ids and nothing else", () =>
    Effect.gen(function* () {
      const prefix = aPrefix()
      const one = yield* instanceOn(sharedUrl, prefix)
      const stranger = yield* client(sharedUrl)
      const texts: Array<string> = []
      stranger.on("message", (_, text) => texts.push(text))
      yield* Effect.promise(() => stranger.subscribe(`${prefix}access-changes`))
      const change = { organisationId: anOrganisationId(), apiKeyId: anApiKey().id }
      yield* one.publish({ ...change, ...{ key: "secret" } })
      yield* until(
        "the message",
        Effect.sync(() => texts.length > 0)
      )
      expect(JSON.parse(texts[0] ?? "")).toEqual({ from: expect.any(String), change })
    })
  )
})

describe.skipIf(withoutProgram)("a subscription to changes of access", () => {
  it.live("that is cut off makes up for what it missed by everything, on disconnect and on reconnect", () =>
    Effect.gen(function* () {
      const { url } = yield* ownServer()
      const prefix = aPrefix()
      const heard = yield* notebook(yield* instanceOn(url, prefix))
      const admin = yield* client(url)
      const channel = `${prefix}access-changes`
      yield* settledAt(heard, 1)

      const lost = JSON.stringify({ from: "another", change: { organisationId: anOrganisationId() } })
      const cut = admin.multi().call("CLIENT", "KILL", "TYPE", "pubsub").publish(channel, lost)
      expect(yield* Effect.promise(() => cut.exec())).toEqual([
        [null, 1],
        [null, 0]
      ])
      yield* until(
        "hearing of everything on disconnect and on reconnect",
        Effect.sync(() => everything(heard) >= 3)
      )
      // Once it was told, the subscription stands: nothing is missed from here on.
      expect(yield* Effect.promise(() => admin.publish(channel, lost))).toBe(1)
      yield* until(
        "hearing of the change",
        Effect.sync(() => precise(heard).length === 1)
      )
      expect(everything(heard)).toBe(3)
    })
  )

  it.live("that is frozen is noticed, though its connection looks alive", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const heard = yield* notebook(yield* instanceOn(server.url))
      yield* settledAt(heard, 1)
      server.freeze()
      yield* settledAt(heard, 2)
      server.thaw()
      yield* settledAt(heard, 3)
    })
  )

  it.live("that could not be told while Redis was away has heard of everything once it is back", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const prefix = aPrefix()
      const [one, other] = [yield* instanceOn(server.url, prefix), yield* instanceOn(server.url, prefix)]
      const [heardByOne, heardByOther] = [yield* notebook(one), yield* notebook(other)]
      yield* settledAt(heardByOther, 1)
      yield* Effect.promise(server.kill)
      const organisationId = anOrganisationId()
      yield* within(500, one.publish({ organisationId }))
      expect(precise(heardByOne)).toEqual([{ organisationId }])
      yield* settledAt(heardByOther, 2)
      yield* Effect.promise(server.start)
      // The end of its own subscription's gap, and what the other one could not say.
      yield* settledAt(heardByOther, 4)
    })
  )

  it.live("does not keep a publication waiting when Redis is frozen", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const one = yield* instanceOn(server.url)
      const heard = yield* notebook(one)
      server.freeze()
      const organisationId = anOrganisationId()
      yield* within(500, one.publish({ organisationId }))
      expect(precise(heard)).toEqual([{ organisationId }])
    })
  )
})
