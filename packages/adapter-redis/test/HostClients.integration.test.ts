import { describe, expect, it } from "@effect/vitest"
import { layerFrom } from "@solar-sites/adapter-redis"
import { anOrganisationId } from "@solar-sites/testing"
import { Effect } from "effect"
import { Redis } from "ioredis"
import {
  aPrefix,
  instance,
  ownServer,
  perHour,
  sharedUrl,
  until,
  within,
  withoutProgram,
  withoutRedis
} from "./Setup.ts"

interface HostOptions {
  readonly lazyConnect?: boolean
  readonly protocol?: 2 | 3
  readonly keyPrefix?: string
}

/** A client of a host with the defaults of ioredis, which wait for minutes. */
const hostClient = (url: string, options: HostOptions = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => new Redis(url, options)),
    (client) => Effect.sync(() => client.disconnect())
  )

describe.skipIf(withoutRedis)("clients of the host", () => {
  for (const [which, options] of [
    ["as they come", {}],
    ["that connect when asked to", { lazyConnect: true }],
    ["of the older protocol", { protocol: 2 }],
    ["that put a prefix before their keys", { keyPrefix: "host:" }]
  ] as const) {
    it.live(`${which} are used, and left unchanged`, () =>
      Effect.gen(function* () {
        const [commands, subscriber] = [yield* hostClient(sharedUrl, options), yield* hostClient(sharedUrl, options)]
        const prefix = aPrefix()
        const heard: Array<unknown> = []
        subscriber.on("message", (channel) => heard.push(channel))
        const one = yield* instance(layerFrom({ commands, subscriber }, { prefix, timeout: "500 millis" }))
        expect((yield* one.take("key", perHour(3))).remaining).toBe(2)
        yield* one.publish({ organisationId: anOrganisationId() })
        yield* until(
          "its own message to come back",
          Effect.sync(() => heard.length === 1)
        )
        expect(one.lines).toEqual([])

        yield* one.close
        const untouched = yield* hostClient(sharedUrl, { ...options, lazyConnect: true })
        yield* Effect.promise(() => untouched.connect())
        for (const client of [commands, subscriber]) {
          expect(client.status).toBe("ready")
          for (const event of ["error", "ready", "close", "end"]) {
            expect(client.listenerCount(event)).toBe(untouched.listenerCount(event))
          }
        }
        expect(subscriber.listenerCount("message")).toBe(1)
        expect(yield* Effect.promise(() => commands.pubsub("NUMSUB", `${prefix}access-changes`))).toEqual([
          `${prefix}access-changes`,
          0
        ])
      })
    )
  }
})

describe.skipIf(withoutProgram)("patient clients of the host", () => {
  it.live("keep no request waiting", () =>
    Effect.gen(function* () {
      const server = yield* ownServer()
      const [commands, subscriber] = [yield* hostClient(server.url), yield* hostClient(server.url)]
      const { publish, take } = yield* instance(layerFrom({ commands, subscriber }))
      yield* take("key", perHour(9))
      server.freeze()
      yield* within(100, take("key", perHour(9)))
      yield* within(500, publish("everything"))
      yield* Effect.promise(server.kill)
      for (const _ of [1, 2, 3]) yield* within(100, take("key", perHour(9)))
      yield* within(500, publish("everything"))
    })
  )
})
