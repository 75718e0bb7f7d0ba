import { PgClient } from "@solar-sites/adapter-postgres"
import * as Pglite from "@solar-sites/adapter-postgres/pglite"
import { RepositoryError } from "@solar-sites/core"
import { toWebHandler } from "@solar-sites/http-node"
import { MemoryAdapters } from "@solar-sites/testing"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { layer as readinessOf } from "../../src/server/Readiness.ts"

/** The answer of readiness with this database. */
const answer = async (database: Layer.Layer<PgClient>) => {
  const adapters = Layer.provideMerge(Layer.provideMerge(readinessOf, database), MemoryAdapters.layer)
  const { dispose, handler } = toWebHandler(adapters)
  const response = await handler(new Request("http://localhost/health/ready"))
  const { checks, code, detail } = JSON.parse(await response.text())
  await dispose()
  return { status: response.status, code, detail, checks }
}

const red = { status: 503, code: "database_unavailable", checks: { database: "down", storage: "up" } }

describe("readiness", () => {
  it("says why an embedded database has stopped", async () => {
    const reason = 'could not write to file "pg_wal/xlogtemp.42": No space left on device'
    const stopped = {
      runExclusive: () => Promise.reject(new Error(`the embedded database stopped: ${reason}`)),
      execProtocolRawStream: () => Promise.reject(new Error("never reached"))
    }
    expect(await answer(Pglite.layerFrom(stopped))).toEqual({
      ...red,
      detail: `The embedded database has stopped: ${reason}. It is opened again by itself, at most once a second.`
    })
  })

  it("does not show the error of an external database, which may name its hosts", async () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED 10.1.2.3:5432"), { code: "ECONNREFUSED" })
    const error = new RepositoryError({ operation: "test", retryable: true, cause })
    const lost = PgClient.of({ schema: "solar", run: () => Effect.fail(error), batch: () => () => Effect.fail(error) })
    expect(await answer(Layer.succeed(PgClient, lost))).toEqual({ ...red, detail: "Try again in a moment." })
  })
})
