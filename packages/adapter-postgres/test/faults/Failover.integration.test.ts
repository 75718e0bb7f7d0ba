import { setTimeout as sleep } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { PgClient } from "@solar-sites/adapter-postgres"
import { Effect, Layer } from "effect"
import { afterAll } from "vitest"
import { activeTime } from "../../../../scripts/activeTime.ts"
import { unlessMissing } from "../EmbeddedPostgres.ts"
import { byClient, type Load, overHttp, startLoad, type Target } from "./Load.ts"
import { type Pair, startPair } from "./Pair.ts"
import { type Serving, serving } from "./Serving.ts"

/** Failovers before the last two; `FAILOVERS=20` for a longer look. */
const { FAILOVERS: given = "3" } = process.env
const count = Number(given)
const queryTimeoutMillis = 2_000
/** The time limit of a statement, and what a busy machine needs to say that it is over. */
const tooLate = queryTimeoutMillis + 1_000
const followsWithin = 3_000

/** Longest wait for a condition, far above what a failover takes on a busy machine. */
const longestWait = 60_000

const until = async (condition: () => boolean | Promise<boolean>) => {
  using since = activeTime()
  while (!(await condition())) {
    if (since.millis() > longestWait) throw new Error(`A condition does not hold after ${longestWait} ms: ${condition}`)
    await sleep(5)
  }
}

/** Waits for a condition of every load. A load that failed ends the wait, and reports it when it stops. */
const untilEach = (loads: ReadonlyArray<Load>, condition: (load: Load) => boolean) =>
  until(() => loads.some(({ hasFailed }) => hasFailed()) || loads.every(condition))

const acknowledgedSince = ({ attempts }: Load, time: number) =>
  attempts.filter(({ endedAt, isAcknowledged }) => isAcknowledged && endedAt > time)

const refusedSince = ({ attempts }: Load, time: number) =>
  attempts.filter(({ endedAt, isAcknowledged }) => !isAcknowledged && endedAt > time)

interface Fault {
  /** Makes the primary unusable. */
  readonly strike: (pair: Pair) => Promise<void>
  /** Waits for an unavailable answer before the promotion. */
  readonly isNoticed: boolean
  /** While the load goes on with the new primary. */
  readonly afterwards?: (pair: Pair) => Promise<void>
}

/** One failover under load. Answers how long each target took from the promotion to its first write. */
const failover = async (pair: Pair, targets: ReadonlyArray<Target>, name: string, fault: Fault) => {
  const loads = targets.map((target, index) => startLoad(target, `${name} ${index}`, 4))
  try {
    await untilEach(loads, (load) => acknowledgedSince(load, 0).length >= 20)
    const struckAt = performance.now()
    await fault.strike(pair)
    if (fault.isNoticed) await untilEach(loads, (load) => refusedSince(load, struckAt).length > 0)
    await pair.promote()
    const promotedAt = performance.now()
    using since = activeTime()
    await untilEach(loads, (load) => acknowledgedSince(load, promotedAt).length > 0)
    assert.isBelow(since.millis(), followsWithin, name)
    const millis = loads.map((load) => (acknowledgedSince(load, promotedAt)[0]?.endedAt ?? 0) - promotedAt)
    await fault.afterwards?.(pair)
    const now = performance.now()
    await untilEach(loads, (load) => acknowledgedSince(load, now).length >= 20)
    return { loads, millis }
  } finally {
    for (const load of loads) await load.stop()
  }
}

/** Nothing acknowledged is lost or stored twice, no read was stale, and every answer came in time. */
const verify = async (loads: ReadonlyArray<Load>, targets: ReadonlyArray<Target>) => {
  for (const [index, { attempts, stale }] of loads.entries()) {
    const stored = (await targets[index]?.read()) ?? []
    assert.strictEqual(new Set(stored).size, stored.length, "nothing is stored twice")
    const names = new Set(stored)
    const lost = attempts.filter(({ isAcknowledged, name }) => isAcknowledged && !names.has(name))
    assert.deepStrictEqual(lost, [])
    assert.deepStrictEqual(stale, [])
    for (const { activeMillis, name } of attempts) assert.isBelow(activeMillis, tooLate, name)
  }
}

const death: Fault = { isNoticed: true, strike: ({ kill, primary }) => kill(primary()) }

const terminate = "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'followed'"

const partition: Fault = {
  isNoticed: false,
  strike: async ({ primary }) => {
    const { network, replication } = primary()
    for (const one of [network, replication]) one.cut()
  },
  // The former primary is back and accepts writes, too. Lost connections start a search.
  afterwards: async ({ ask, primary, standby }) => {
    standby().network.mend()
    assert.deepStrictEqual(await ask(standby(), "show transaction_read_only"), [["off"]])
    await ask(primary(), terminate)
  }
}

/** The clients still reach the former primary, which waits for its standby in vain. */
const split: Fault = { isNoticed: false, strike: async ({ primary }) => primary().replication.cut() }

/** In order. The former primary comes back as a standby while connections to the new one are lost. */
const switchover: Fault = {
  isNoticed: true,
  strike: ({ primary, shutDown }) => shutDown(primary()),
  afterwards: async ({ ask, primary, resume }) => {
    await resume()
    await ask(primary(), terminate)
  }
}

const connections = "select count(*)::int from pg_stat_activity where application_name = 'followed'"

const demotion: Fault = {
  isNoticed: true,
  strike: async ({ ask, primary }) => {
    await ask(primary(), "alter system set default_transaction_read_only = on")
    await ask(primary(), "select pg_reload_conf()")
  },
  afterwards: ({ ask, standby }) => until(async () => (await ask(standby(), connections))[0]?.[0] === 0)
}

const isReady = async ({ send }: Serving, expected: number) => (await send("GET /health/ready")).status === expected

const clientOf = (url: string) =>
  Layer.build(PgClient.layer({ url, poolSize: 4, applicationName: "followed", queryTimeout: queryTimeoutMillis }))

const tests = (pair: Awaited<ReturnType<typeof startPair>>) => () => {
  afterAll(pair.stop)

  it.live("follows the primary through deaths, partitions, a switchover and a demotion, and loses nothing", () =>
    Effect.gen(function* () {
      const context = yield* clientOf(pair.url)
      yield* PgClient.use(({ run }) =>
        run({ operation: "test", text: "create table record (name text primary key)" })
      ).pipe(Effect.provideContext(context))
      const http = yield* serving({
        url: pair.url,
        schema: "failover",
        applicationName: "followed",
        queryTimeoutMillis
      })
      const targets = [byClient(context), overHttp(http)]

      yield* Effect.promise(async () => {
        const took: Array<number> = []
        const fail = async (name: string, fault: Fault) => {
          const { loads, millis } = await failover(pair, targets, name, fault)
          await verify(loads, targets)
          await until(() => isReady(http, 200))
          const attempts = loads.map((load) => load.attempts.length)
          console.log(`${name}: followed within ${millis.map(Math.round)} ms, ${attempts} attempts to write`)
          took.push(...millis)
        }
        const unready = async (given: Pair) => {
          await death.strike(given)
          await until(() => isReady(http, 503))
        }
        const kinds = [
          ["death", death],
          ["partition", partition],
          ["split", split]
        ] as const
        await fail("first death", { ...death, strike: unready })
        for (let done = 1; done < count; done++) {
          const [name, fault] = kinds[done % kinds.length] ?? kinds[0]
          await pair.rejoin()
          await fail(`${name} ${done}`, fault)
        }
        await pair.rejoin()
        await fail("switchover", switchover)
        await fail("demotion", demotion)
        assert.isNull(http.ended())
        const sorted = took.toSorted((a, b) => a - b).map(Math.round)
        console.log(`${took.length} first writes after a promotion: median ${sorted[sorted.length >> 1]} ms`, sorted)
      })
    })
  )
}

const pair = await unlessMissing("with a primary and a standby", startPair)
if (pair === undefined) it.skip("a pool with two hosts", () => {})
else describe("a pool with two hosts", tests(pair))
