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

/** Changes received by an instance, in order. Every subscription begins with `everything`. */
const receivedBy = Effect.fnUntraced(function* ({ listen }: Instance) {
  const heard: Array<AccessChange> = []
  yield* listen((change) => Effect.sync(() => void heard.push(change)))
  return heard
})

const everything = (heard: ReadonlyArray<AccessChange>) => heard.filter((change) => change === "everything").length
const precise = (heard: ReadonlyArray<AccessChange>) => heard.filter((change) => change !== "everything")

/** Waits until `everything` was received so often. */
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
  it.live("reach the other instances within a second, and do not return to the sender", () =>
    Effect.gen(function* () {
      const prefix = aPrefix()
      const [one, other] = [yield* instanceOn(sharedUrl, prefix), yield* instanceOn(sharedUrl, prefix)]
      const [heardByOne, heardByOther] = [yield* receivedBy(one), yield* receivedBy(other)]
      const organisationId = anOrganisationId()
      const published = [{ organisationId, apiKeyId: anApiKey().id }, { organisationId }, { organisationId }]
      for (const change of published) yield* one.publish(change)
      yield* until(
        "hearing of all",
        Effect.sync(() => precise(heardByOther).length >= 3),
        1_000
      )
      // Arrives after any change that would return to the sender.
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

  it.live("include `everything`", () =>
    Effect.gen(function* () {
      const prefix = aPrefix()
      const [one, other] = [yield* instanceOn(sharedUrl, prefix), yield* instanceOn(sharedUrl, prefix)]
      const heard = yield* receivedBy(other)
      yield* settledAt(heard, 1)
      yield* one.publish("everything")
      yield* until(
        "hearing of it",
        Effect.sync(() => everything(heard) >= 2)
      )
    })
  )

  it.live("in unreadable messages mean `everything`", () =>
    Effect.gen(function* () {
      const prefix = aPrefix()
      const heard = yield* receivedBy(yield* instanceOn(sharedUrl, prefix))
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

  it.live("are sent as ids only", () =>
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
  it.live("that breaks receives `everything`, on disconnect and on reconnect", () =>
    Effect.gen(function* () {
      const { url } = yield* ownServer()
      const prefix = aPrefix()
      const heard = yield* receivedBy(yield* instanceOn(url, prefix))
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
      // After that the subscription is active and misses nothing.
      expect(yield* Effect.promise(() => admin.publish(channel, lost))).toBe(1)
      yield* until(
        "hearing of the change",
        Effect.sync(() => precise(heard).length === 1)
      )
      expect(everything(heard)).toBe(3)
    })
  )

  it.live("that is frozen is detected, although its connection stays open", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const heard = yield* receivedBy(yield* instanceOn(server.url))
      yield* settledAt(heard, 1)
      server.freeze()
      yield* settledAt(heard, 2)
      server.thaw()
      yield* settledAt(heard, 3)
    })
  )

  it.live("receives `everything` after an outage in which a change was published", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const prefix = aPrefix()
      const [one, other] = [yield* instanceOn(server.url, prefix), yield* instanceOn(server.url, prefix)]
      const [heardByOne, heardByOther] = [yield* receivedBy(one), yield* receivedBy(other)]
      yield* settledAt(heardByOther, 1)
      yield* Effect.promise(server.kill)
      const organisationId = anOrganisationId()
      yield* within(500, one.publish({ organisationId }))
      expect(precise(heardByOne)).toEqual([{ organisationId }])
      yield* settledAt(heardByOther, 2)
      yield* Effect.promise(server.start)
      // One for its own gap, one for the failed publish of the other instance.
      yield* settledAt(heardByOther, 4)
    })
  )

  it.live("publishes in bounded time while Redis is frozen", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const one = yield* instanceOn(server.url)
      const heard = yield* receivedBy(one)
      server.freeze()
      const organisationId = anOrganisationId()
      yield* within(500, one.publish({ organisationId }))
      expect(precise(heard)).toEqual([{ organisationId }])
    })
  )
})
