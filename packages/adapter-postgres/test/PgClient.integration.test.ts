import { createServer, type Socket } from "node:net"
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { layerFrom, PgClient, type PgStatement } from "@solar-sites/adapter-postgres"
import { apiKeyRecords, OrganisationRepository, RepositoryError } from "@solar-sites/core"
import { anApiKey, anApiKeyDigest, anOrganisation } from "@solar-sites/testing"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import postgres from "postgres"
import { activeTime } from "../../../scripts/activeTime.ts"
import { freePort } from "../../../scripts/freePort.ts"
import { migrated, onPostgres, options, ownSchema, postgresUrl, withoutPostgres } from "./Databases.ts"

/** Fails with a retryable RepositoryError, within this time. */
const failsWithin = (milliseconds: number, effect: Effect.Effect<unknown, RepositoryError, PgClient>) =>
  Effect.gen(function* () {
    using since = activeTime()
    const error = yield* Effect.flip(effect)
    assert.isTrue(error.retryable, inspect(error))
    assert.isBelow(since.millis(), milliseconds)
    return error
  })

type Settings = Pick<PgStatement, "readOnly">

const query = (text: string, settings?: Settings) =>
  PgClient.use(({ run }) => run({ operation: "test", text, ...settings }))

const cutOff = "perform pg_terminate_backend(pg_backend_pid())"
const deadlock = "raise exception using errcode = '40P01'"

/** Runs a statement that fails this many times, and counts its attempts. */
const attempts = Effect.fnUntraced(function* (failures: number, failure: string, settings?: Settings) {
  const sequence = `${yield* ownSchema()}.attempts`
  yield* query(`create schema ${sequence.split(".")[0]}; create sequence ${sequence}`)
  const text = `do $$ begin if nextval('${sequence}') <= ${failures} then ${failure}; end if; end $$`
  const result = yield* Effect.result(query(text, settings))
  const [row] = yield* query(`select last_value::int from ${sequence}`)
  return { count: row?.[0], result }
})

/** Blocks the thread. From here Node fires timers before it reads sockets. */
const stall = (millis: number) =>
  Effect.callback<void>((resume) => {
    setImmediate(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis)
      resume(Effect.void)
    })
  })

/** A server that does this with every connection. */
const listening = (treat: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ url: Redacted.Redacted<string>; close: () => void; seen: () => number }>((resolve) => {
          const sockets = new Set<Socket>()
          const server = createServer((socket) => {
            sockets.add(socket)
            socket.on("error", () => {})
            treat(socket)
          })
          server.listen(0, "127.0.0.1", () => {
            const address = server.address()
            const port = typeof address === "object" ? address?.port : 0
            const close = () => {
              server.close()
              for (const socket of sockets) socket.destroy()
            }
            resolve({ url: Redacted.make(`postgres://u:p@127.0.0.1:${port}/d`), close, seen: () => sockets.size })
          })
        })
    ),
    ({ close }) => Effect.sync(close)
  )

describe("without a server", () => {
  it.live("fails at once when the port is closed", () =>
    Effect.gen(function* () {
      const url = Redacted.make(`postgres://u:p@127.0.0.1:${yield* Effect.promise(freePort)}/d`)
      yield* failsWithin(4_000, query("select 1", { readOnly: true })).pipe(Effect.provide(PgClient.layer({ url })))
    })
  )

  it.live("fails at once when the connection is closed before the greeting, and does not connect again", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* listening((socket) => socket.end())
      yield* failsWithin(4_000, query("select 1")).pipe(Effect.provide(PgClient.layer({ url })))
      assert.isAtMost(seen(), 2)
    })
  )

  it.live("fails within the timeout when the server does not answer, with many callers, too", () =>
    Effect.gen(function* () {
      const { url } = yield* listening(() => {})
      const all = Effect.all(
        Array.from({ length: 50 }, () => failsWithin(10_000, query("select 1"))),
        { concurrency: "unbounded" }
      )
      yield* Effect.provide(all, PgClient.layer({ url, queryTimeout: "500 millis" }))
    })
  )
})

describe.skipIf(withoutPostgres)("PgClient", () => {
  it.live("fails within the timeout when a statement takes too long, and goes on", () =>
    Effect.gen(function* () {
      const layer = PgClient.layer(options("x", { queryTimeout: "300 millis", poolSize: 1 }))
      yield* Effect.gen(function* () {
        yield* failsWithin(10_000, query("select pg_sleep(60)"))
        yield* query("select 1", { readOnly: true }).pipe(Effect.retry({ times: 100 }))
      }).pipe(Effect.provide(layer))
    })
  )

  it.live("takes an answer that arrived while the process stood still for longer than the timeout", () =>
    Effect.gen(function* () {
      yield* query("select 1")
      const answer = yield* Effect.forkChild(query("select 'arrived' from pg_sleep(0.3)"), { startImmediately: true })
      // The driver has sent the statement.
      yield* Effect.sleep("1 millis")
      yield* stall(1_500)
      assert.deepStrictEqual(yield* Fiber.join(answer), [["arrived"]])
    }).pipe(Effect.provide(PgClient.layer(options("x", { queryTimeout: "1 second", poolSize: 1 }))))
  )

  it.live("keeps the timeout also where it cannot be interrupted", () =>
    failsWithin(10_000, Effect.uninterruptible(query("select pg_sleep(60)"))).pipe(
      Effect.provide(PgClient.layer(options("x", { queryTimeout: "300 millis" })))
    )
  )

  it.live("never runs a statement that was cancelled while it waited for a connection", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      const layer = PgClient.layer(options(schema, { queryTimeout: "20 seconds", poolSize: 1 }))
      yield* Effect.gen(function* () {
        yield* query(`create schema ${schema}; create table ${schema}.t (id integer)`)
        const key = `hashtext('${schema}')`
        const other = Context.get(yield* Layer.build(PgClient.layer(options(schema, { poolSize: 1 }))), PgClient)
        const elsewhere = (text: string) => other.run({ operation: "test", text })
        yield* elsewhere(`select pg_advisory_lock(${key})`)
        const waiting = yield* Effect.forkChild(query(`select pg_advisory_xact_lock(${key})`))
        yield* Effect.yieldNow
        const impatient = query(`insert into ${schema}.t values (1)`).pipe(Effect.timeoutOption("100 millis"))
        assert.strictEqual((yield* impatient)._tag, "None")
        yield* elsewhere(`select pg_advisory_unlock(${key})`)
        yield* Fiber.join(waiting)
        assert.deepStrictEqual(yield* query(`select count(*)::int from ${schema}.t`), [[0]])
      }).pipe(Effect.provide(layer))
    })
  )

  it.live("repeats a read once when its connection was lost, and a write never", () =>
    Effect.gen(function* () {
      const once = yield* attempts(1, cutOff, { readOnly: true })
      assert.strictEqual(once.count, 2)
      assert.isTrue(once.result._tag === "Success")
      const twice = yield* attempts(2, cutOff, { readOnly: true })
      assert.strictEqual(twice.count, 2)
      assert.isTrue(twice.result._tag === "Failure" && twice.result.failure.retryable)
      const write = yield* attempts(1, cutOff)
      assert.strictEqual(write.count, 1)
      assert.isTrue(write.result._tag === "Failure" && write.result.failure.retryable)
    }).pipe(Effect.provide(PgClient.layer(options("x"))))
  )

  it.live("reads the next answer correctly after a connection that was lost in the middle of one", () =>
    Effect.gen(function* () {
      const rowsThenCutOff =
        "select case when n = 3 then pg_terminate_backend(pg_backend_pid()) end from generate_series(1, 3) n"
      for (const failure of [rowsThenCutOff, "select 1 / (3 - n) from generate_series(1, 3) n"]) {
        yield* Effect.flip(query(failure))
        assert.deepStrictEqual(yield* query("select 7 as seven"), [[7]])
      }
    }).pipe(Effect.provide(PgClient.layer(options("x", { poolSize: 1 }))))
  )

  it.live("repeats a statement that a deadlock rolled back, a write too, five times", () =>
    Effect.gen(function* () {
      const write = yield* attempts(2, deadlock)
      assert.strictEqual(write.count, 3)
      assert.isTrue(write.result._tag === "Success")
      const endless = yield* attempts(100, deadlock)
      assert.strictEqual(endless.count, 6)
      assert.isTrue(endless.result._tag === "Failure" && endless.result.failure.retryable)
    }).pipe(Effect.provide(PgClient.layer(options("x"))))
  )

  it.live("marks an invalid statement as not retryable", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(query("select nonsense"))
      assert.deepInclude({ ...error }, { operation: "test", retryable: false })
    }).pipe(Effect.provide(PgClient.layer(options("x"))))
  )

  it.live("keeps values out of its failures", () =>
    Effect.gen(function* () {
      const context = yield* onPostgres()
      yield* Effect.gen(function* () {
        const organisation = anOrganisation()
        yield* (yield* OrganisationRepository).insert(organisation)
        const store = yield* apiKeyRecords
        const digest = anApiKeyDigest()
        yield* store.insert(organisation.id, anApiKey(), digest)
        const error = yield* Effect.flip(store.insert(organisation.id, anApiKey(), digest))
        assert.instanceOf(error, RepositoryError)
        assert.notInclude(inspect(error, { depth: null, showHidden: true }), digest)
      }).pipe(Effect.provide(context))
    })
  )

  it.live("works on a client of the host with any transformation of names and types, and leaves it open", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      const types = { date: { to: 1184, from: [1184], serialize: String, parse: () => "no date" } }
      const sql = postgres(postgresUrl, { max: 2, onnotice: () => {}, transform: postgres.camel, types })
      yield* Effect.addFinalizer(() => Effect.promise(() => sql.end()))
      yield* Effect.gen(function* () {
        const organisation = anOrganisation()
        const organisations = yield* OrganisationRepository
        yield* organisations.insert(organisation)
        const apiKey = anApiKey({ organisationId: organisation.id })
        const store = yield* apiKeyRecords
        yield* store.insert(organisation.id, apiKey, anApiKeyDigest())
        assert.deepStrictEqual((yield* store.list(organisation.id, { after: null, limit: 1 })).items, [apiKey])
      }).pipe(Effect.provide(layerFrom(sql, { schema })), Effect.provide(migrated(PgClient.layerFrom(sql, { schema }))))
      assert.deepStrictEqual((yield* Effect.promise(() => sql`select 1`.values()))[0], [1])
    })
  )

  it.live("names its connections, and closes them with its scope", () =>
    Effect.gen(function* () {
      const applicationName = (yield* ownSchema()).slice(0, 60)
      const count = `select count(*)::int from pg_stat_activity where application_name = '${applicationName}'`
      const own = query(count).pipe(Effect.provide(PgClient.layer(options("x", { applicationName }))))
      assert.deepStrictEqual(yield* own, [[1]])
      const others = query(count).pipe(
        Effect.repeat({ until: ([row]) => row?.[0] === 0 }),
        Effect.provide(PgClient.layer(options("x")))
      )
      yield* Effect.timeout(others, "30 seconds")
    })
  )
})
