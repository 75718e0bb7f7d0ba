import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import * as Postgres from "@solar-sites/adapter-postgres"
import * as Redis from "@solar-sites/adapter-redis"
import { SolarSites } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Duration, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { activeTime } from "../../../scripts/activeTime.ts"
import { ownSchemas, postgresUrl, withoutPostgres } from "./ExternalDatabase.ts"
import { withoutRedis } from "./ServiceProxy.ts"

const races = 200
/** Concurrent races, so that look-ups of one meet deletions of others. */
const lanes = 8

const refused = "api_key_invalid"

const schemas = ownSchemas()

/** Yields `turns` times, so that the races differ. */
const pause = async (times: number) => {
  for (let turn = 0; turn < times; turn++) await new Promise(setImmediate)
}

const codeOf = (error: unknown) => String(Object(error).code ?? error)

/** The services of a server, with its own pool and connections to Redis; files are in memory. */
const instanceOn = async (schema: string, prefix: string) => {
  const scope = Scope.makeUnsafe()
  const adapters = MemoryAdapters.layer.pipe(
    Layer.merge(Postgres.layer({ url: Redacted.make(postgresUrl), schema, queryTimeout: Duration.seconds(20) })),
    Layer.merge(Redis.layer({ url: Redacted.make(inject("redis").url ?? ""), prefix }))
  )
  const ports = Layer.succeedContext(await Effect.runPromise(Layer.buildWithScope(adapters, scope)))
  const solar = SolarSites.make(ports)
  return {
    solar,
    /** `accepted`, or the code of the refusal. */
    use: (key: string): Promise<string> => solar.authenticate(key).then(() => "accepted", codeOf),
    close: async () => {
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
      if (race % 2 === 0) assert.deepEqual([await here.use(key), await there.use(key)], ["accepted", "accepted"])

      const uses = [here, there, here, there].map(async (instance, index) => {
        await pause((race * (index + 3)) % 17)
        return instance.use(key)
      })
      await pause(race % 13)
      await keysOf(here).delete(apiKey.id)
      using since = activeTime()
      assert.equal(await here.use(key), refused)
      while ((await there.use(key)) !== refused) {
        assert.ok(since.millis() < 1_000)
        await setTimeout(1)
      }
      seen.slowestMillis = Math.max(seen.slowestMillis, since.millis())

      for (const outcome of await Promise.all(uses)) {
        assert.ok(outcome === "accepted" || outcome === refused, outcome)
        seen[outcome === refused ? "refused" : "accepted"] += 1
      }
      // Look-ups during the deletion have ended and cached nothing.
      assert.deepEqual([await here.use(key), await there.use(key)], [refused, refused])
      lost.push(key)
    }

    let next = 0
    const lane = async () => {
      while (next < races) await run(next++)
    }
    await Promise.all(Array.from({ length: lanes }, lane))

    expect(lost).toHaveLength(races)
    const later = await Promise.all(lost.flatMap((key) => [one.use(key), other.use(key)]))
    expect(new Set(later)).toEqual(new Set([refused]))
    // Some uses came before the deletion, some after it.
    expect(seen.accepted).toBeGreaterThan(races / 10)
    expect(seen.refused).toBeGreaterThan(races / 10)
    expect(seen.slowestMillis).toBeLessThan(1_000)
  })
})
