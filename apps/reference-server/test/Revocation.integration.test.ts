import { randomUUID } from "node:crypto"
import * as Postgres from "@solar-sites/adapter-postgres"
import * as Redis from "@solar-sites/adapter-redis"
import { SolarSites } from "@solar-sites/core"
import { toWebHandler } from "@solar-sites/http-node"
import { MemoryAdapters } from "@solar-sites/testing"
import { Duration, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { activeTime } from "../../../scripts/activeTime.ts"
import { ownSchemas, postgresUrl, withoutPostgres } from "./ExternalDatabase.ts"
import { withoutRedis } from "./ServiceProxy.ts"

const races = 1_000
/** Concurrent races, so that look-ups of one meet deletions of others. */
const lanes = 8

const schemas = ownSchemas()

/** Yields `turns` times, so that the races differ. */
const pause = async (times: number) => {
  for (let turn = 0; turn < times; turn++) await new Promise(setImmediate)
}

/** The services of a server, with its own pool and connections to Redis; files are in memory. */
const instanceOn = async (schema: string, prefix: string) => {
  const scope = Scope.makeUnsafe()
  const adapters = MemoryAdapters.layer.pipe(
    Layer.merge(Postgres.layer({ url: Redacted.make(postgresUrl), schema, queryTimeout: Duration.seconds(20) })),
    Layer.merge(Redis.layer({ url: Redacted.make(inject("redis").url ?? ""), prefix }))
  )
  const ports = Layer.succeedContext(await Effect.runPromise(Layer.buildWithScope(adapters, scope)))
  const { dispose, handler, ready } = toWebHandler(ports, { rateLimitPerMinute: 1_000_000 })
  await ready
  const solar = SolarSites.make(ports)
  return {
    solar,
    statusOf: async (key: string) => {
      const response = await handler(new Request("http://localhost/api/me", { headers: { "x-api-key": key } }))
      await response.text()
      return response.status
    },
    close: async () => {
      await dispose()
      await solar.dispose()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
}

type Instance = Awaited<ReturnType<typeof instanceOn>>

describe.skipIf(withoutPostgres || withoutRedis)("two instances on one Postgres and one Redis", () => {
  let instances: ReadonlyArray<Instance> = []

  beforeAll(async () => {
    const { DATABASE_SCHEMA: schema } = schemas.next()
    const client = Postgres.PgClient.layer({ url: Redacted.make(postgresUrl), schema })
    await Postgres.migrate.pipe(Effect.provide(client), Effect.runPromise)
    const prefix = `test:${randomUUID()}:`
    instances = await Promise.all([instanceOn(schema, prefix), instanceOn(schema, prefix)])
  })

  afterAll(async () => {
    await Promise.all(instances.map(({ close }) => close()))
    await schemas.drop()
  })

  it(`refuse a deleted key at once here and within a second there, for good, in each of ${races} races`, async () => {
    const [one, other] = instances
    if (one === undefined || other === undefined) throw new Error("two instances are needed")
    const { id: organisationId } = await one.solar.organisations.create({ name: "Sunfield Energy" })
    const keysOf = ({ solar }: Instance) => solar.as({ organisationId }).apiKeys
    const lost: Array<string> = []
    const seen = { accepted: 0, refused: 0, slowestMillis: 0 }

    const run = async (race: number) => {
      // Each deletes half of the keys.
      const [here, there] = race % 4 < 2 ? [one, other] : [other, one]
      const { apiKey, secret: key } = await keysOf(here).create({ name: `Race ${race}` })
      // Half of the keys are cached when the race begins; the others are being looked up.
      if (race % 2 === 0) expect([await here.statusOf(key), await there.statusOf(key)]).toEqual([200, 200])

      const uses = [here, there, here, there].map(async (instance, index) => {
        await pause((race * (index + 3)) % 17)
        return instance.statusOf(key)
      })
      await pause(race % 13)
      await keysOf(here).delete(apiKey.id)
      using since = activeTime()
      expect(await here.statusOf(key)).toBe(401)
      while ((await there.statusOf(key)) !== 401) expect(since.millis()).toBeLessThan(1_000)
      seen.slowestMillis = Math.max(seen.slowestMillis, since.millis())

      for (const status of await Promise.all(uses)) {
        expect([200, 401]).toContain(status)
        seen[status === 200 ? "accepted" : "refused"] += 1
      }
      // Look-ups during the deletion have ended and cached nothing.
      expect([await here.statusOf(key), await there.statusOf(key)]).toEqual([401, 401])
      lost.push(key)
    }

    let next = 0
    const lane = async () => {
      while (next < races) await run(next++)
    }
    await Promise.all(Array.from({ length: lanes }, lane))

    expect(lost).toHaveLength(races)
    for (const key of lost) expect([await one.statusOf(key), await other.statusOf(key)]).toEqual([401, 401])
    // Some uses came before the deletion, some after it.
    expect(seen.accepted).toBeGreaterThan(races / 10)
    expect(seen.refused).toBeGreaterThan(races / 10)
    expect(seen.slowestMillis).toBeLessThan(1_000)
  })
})
