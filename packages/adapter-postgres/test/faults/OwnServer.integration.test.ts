import { setTimeout as sleep } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { PgClient, type PgSsl } from "@solar-sites/adapter-postgres"
import { Effect, Redacted } from "effect"
import postgres from "postgres"
import { afterAll } from "vitest"
import { activeTime } from "../../../../scripts/activeTime.ts"
import { type OwnServer, startEmbedded, unlessMissing } from "../EmbeddedPostgres.ts"
import { certify, freeze } from "./OwnServer.ts"
import { type Answer, type Serving, serving } from "./Serving.ts"

const server = await unlessMissing("with a Postgres server of their own", () => startEmbedded())

const siteNamed = (siteName: string) => ({ siteName, capacity: 1, unit: "MW" })

const isUnavailable = (within: number, { code, activeMillis, retryAfter, status }: Answer) => {
  assert.deepStrictEqual([status, code], [503, "database_unavailable"])
  assert.match(String(retryAfter), /^\d+$/)
  assert.isBelow(activeMillis, within)
}

/** Polls until the service is ready, and returns how long that took. */
const untilReady = async ({ send }: Serving): Promise<number> => {
  using since = activeTime()
  while ((await send("GET /health/ready")).status !== 200) await sleep(10)
  return since.millis()
}

const namesAt = async ({ send }: Serving): Promise<ReadonlyArray<string>> =>
  JSON.parse((await send("GET /api/sites")).body).data.map(({ siteName }: { siteName: string }) => siteName)

const thirtyPortfoliosAt = async ({ send }: Serving): Promise<ReadonlyArray<string>> => {
  const portfolios = Array.from({ length: 30 }, (_, index) => ({ name: `Portfolio ${index}` }))
  const { data } = JSON.parse((await send("POST /api/portfolios", { portfolios })).body)
  return data.map(({ id }: { id: string }) => id)
}

const tests = (own: OwnServer) => () => {
  const { start, halt, stop, url } = own
  afterAll(stop)

  it.live("answers 503 in bounded time while Postgres is down, and recovers with it", () =>
    Effect.gen(function* () {
      const service = yield* serving({ url, schema: "gone" })
      yield* Effect.promise(async () => {
        const { send } = service
        assert.strictEqual((await send("POST /api/sites", siteNamed("before"))).status, 201)
        assert.strictEqual((await send("GET /health/ready")).status, 200)
        await halt()
        isUnavailable(3_000, await send("POST /api/sites", siteNamed("during")))
        isUnavailable(3_000, await send("GET /api/sites"))
        // What was seen within the last second may still be shown.
        while ((await send("GET /health/ready")).status === 200) await sleep(10)
        isUnavailable(3_000, await send("GET /health/ready"))
        const many = Array.from({ length: 50 }, () => send("GET /api/portfolios"))
        for (const answer of await Promise.all(many)) isUnavailable(3_000, answer)
        assert.strictEqual((await send("GET /health/live")).status, 200)
        await start()
        assert.isBelow(await untilReady(service), 5_000)
        assert.strictEqual((await send("POST /api/sites", siteNamed("after"))).status, 201)
        assert.deepStrictEqual(await namesAt(service), ["before", "after"])
        assert.isNull(service.ended())
      })
    })
  )

  it.live("answers within the query timeout while Postgres is stopped, and recovers when it continues", () =>
    Effect.gen(function* () {
      const service = yield* serving({ url, schema: "frozen", queryTimeoutMillis: 4_000 })
      yield* Effect.promise(async () => {
        const { send } = service
        assert.strictEqual((await send("POST /api/sites", siteNamed("before"))).status, 201)
        const portfolioIds = await thirtyPortfoliosAt(service)
        const thaw = await freeze(own)
        try {
          // More statements than connections: inserts into one portfolio would share a statement. A
          // request that waits for a connection is answered in time too.
          const many = portfolioIds.map((portfolioId, index) =>
            send("POST /api/sites", { ...siteNamed(`during ${index}`), portfolioId })
          )
          for (const answer of await Promise.all(many)) isUnavailable(5_000, answer)
          isUnavailable(5_000, await send("GET /health/ready"))
          assert.strictEqual((await send("GET /health/live")).status, 200)
        } finally {
          thaw()
        }
        assert.isBelow(await untilReady(service), 5_000)
        assert.strictEqual((await send("POST /api/sites", siteNamed("after"))).status, 201)
        const names = await namesAt(service)
        assert.strictEqual(new Set(names).size, names.length, "nothing is there twice")
        assert.isBelow(names.length, 30, "what waited for a connection was never sent")
      })
    })
  )

  it.live("with TLS is reached as securely as the option says", () =>
    Effect.gen(function* () {
      const ca = yield* Effect.promise(() => certify(own))
      const connected = (ssl?: PgSsl) =>
        PgClient.use(({ run }) =>
          run({ operation: "test", text: "select ssl::text from pg_stat_ssl where pid = pg_backend_pid()" })
        ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), ...(ssl === undefined ? {} : { ssl }) })))
      const unsecured = yield* Effect.flip(connected("require"))
      assert.isTrue(unsecured.retryable)
      yield* Effect.promise(async () => {
        const sql = postgres(url, { max: 1 })
        await sql`alter system set ssl = on`
        await sql`select pg_reload_conf()`
        await sql.end()
      })
      const reloaded = connected("require").pipe(Effect.retry({ times: 200 }))
      assert.deepStrictEqual(yield* reloaded, [["true"]])
      assert.deepStrictEqual(yield* connected({ ca, servername: "localhost" }), [["true"]])
      assert.deepStrictEqual(yield* connected(), [["false"]])
      const stranger = yield* Effect.flip(connected("verify-full"))
      assert.include(String(Reflect.get(stranger, "cause")), "self-signed")
    })
  )
}

if (server === undefined) it.skip("a server over a Postgres", () => {})
else describe("a server over a Postgres", tests(server))
