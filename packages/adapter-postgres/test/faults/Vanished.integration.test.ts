import { connect, createServer, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { PgClient } from "@solar-sites/adapter-postgres"
import { Effect, Fiber, Redacted } from "effect"
import { options, postgresUrl, withoutPostgres } from "../Databases.ts"

/** A proxy to the server that can stop passing data without closing a connection. */
const passage = Effect.acquireRelease(
  Effect.promise(async () => {
    const { hostname, port } = new URL(postgresUrl)
    const sockets = new Set<Socket>()
    const server = createServer((near) => {
      const far = connect(Number(port || 5_432), hostname)
      near.pipe(far).pipe(near)
      for (const socket of [near, far]) sockets.add(socket.on("error", () => {}))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const url = new URL(postgresUrl)
    url.host = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`
    return {
      url: Redacted.make(url.href),
      cut: () => {
        for (const socket of sockets) socket.unpipe().pause()
      },
      close: () => {
        server.close()
        for (const socket of sockets) socket.destroy()
      }
    }
  }),
  ({ close }) => Effect.sync(close)
)

// The tests mostly wait for timeouts.
describe.skipIf(withoutPostgres).concurrent("a server that vanishes without a word", () => {
  it.live("is asked again on new connections, though all of the old ones are lost", () =>
    Effect.gen(function* () {
      const { cut, url } = yield* passage
      const settings = { ...options("x", { poolSize: 2, queryTimeout: "500 millis" }), url }
      yield* Effect.gen(function* () {
        const { run } = yield* PgClient
        const one = run({ operation: "test", text: "select 1" })
        yield* Effect.all([one, one], { concurrency: 2 }).pipe(Effect.retry({ times: 20 }))
        yield* Effect.sync(cut)
        const lost = yield* Effect.forkChild(Effect.all([one, one, one, one].map(Effect.flip), { concurrency: 4 }))
        for (const error of yield* Fiber.join(lost)) assert.isTrue(error.retryable)
        const back = one.pipe(Effect.retry({ times: 20 }), Effect.timeout("60 seconds"))
        assert.deepStrictEqual(yield* back, [[1]])
      }).pipe(Effect.provide(PgClient.layer(settings)))
    })
  )

  for (const { callers, does, readOnly } of [
    { does: "writes", readOnly: false, callers: 2 },
    { does: "reads", readOnly: true, callers: 10 }
  ]) {
    it.live(`is asked again although all callers of ${does} were interrupted before their deadline`, () =>
      Effect.gen(function* () {
        const { cut, url } = yield* passage
        const settings = { ...options("x", { poolSize: 2, queryTimeout: "500 millis" }), url }
        yield* Effect.gen(function* () {
          const { run } = yield* PgClient
          const one = run({ operation: "test", text: "select 1", readOnly })
          yield* Effect.all([one, one], { concurrency: 2 }).pipe(Effect.retry({ times: 20 }))
          yield* Effect.sync(cut)
          const gone = Effect.timeoutOption(one, "100 millis")
          yield* Effect.all(
            Array.from({ length: callers }, () => gone),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(yield* one.pipe(Effect.retry({ times: 40 }), Effect.timeout("60 seconds")), [[1]])
        }).pipe(Effect.provide(PgClient.layer(settings)))
      })
    )
  }
})
