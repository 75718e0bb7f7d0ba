import { inspect } from "node:util"
import { layerFrom, PgClient, type PgLayerOptions, type PgSql } from "@solar-sites/adapter-postgres"
import { Effect, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"

const build = (client: Layer.Layer<PgClient>) => Effect.runPromise(Effect.asVoid(Effect.scoped(Layer.build(client))))

const url = "postgres://solar:hush-hush@127.0.0.1:1/solar"
const aUrl =
  "url of the Postgres adapter must be of the form postgres://user:password@host:port/database, as text or Redacted"
const aSize = "poolSize of the Postgres adapter must be a whole number of connections, 1 or more, such as 10"
const aPooler = 'pooler of the Postgres adapter must be "session" or "transaction"'
const aDuration = 'of the Postgres adapter must be a duration, such as "5 seconds"'

describe("options of a pool", () => {
  it.each([
    [undefined, `${aUrl}; it is undefined`],
    [{}, `${aUrl}; it is undefined`],
    [{ url: "" }, `${aUrl}; it is an empty text`],
    [{ url: "hush-hush@127.0.0.1:5432/solar" }, `${aUrl}; it is another text`],
    [{ url: "mysql://solar:hush-hush@127.0.0.1/solar" }, `${aUrl}; it is another text`],
    [{ url: Redacted.make("postgres://solar:hush-hush@127.0.0.1:port/solar") }, `${aUrl}; it is another text`],
    [{ url: Redacted.make(undefined) }, `${aUrl}; it is undefined`],
    [{ url: new URL(url) }, `${aUrl}; it is object`],
    [{ url, poolSize: 0 }, `${aSize}; it is 0`],
    [{ url, poolSize: 2.5 }, `${aSize}; it is 2.5`],
    [{ url, poolSize: "10" }, `${aSize}; it is another text`],
    [{ url, pooler: "txn" }, `${aPooler}; it is another text`],
    [{ url, queryTimeout: "soon" }, `queryTimeout ${aDuration}; it is another text`],
    [{ url, queryTimeout: 0 }, `queryTimeout ${aDuration}; it is 0`],
    [{ url, connectTimeout: Number.NaN }, `connectTimeout ${aDuration}; it is NaN`],
    [{ url, schema: 7 }, "the schema of the database must be a name"]
  ])("are refused when the layer is built, without the password: %o", async (options, sentence) => {
    // As from JavaScript, which nobody has checked.
    const refusal: unknown = await build(PgClient.layer(options as PgLayerOptions)).catch((error) => error)
    expect(inspect(refusal, { depth: null })).toContain(sentence)
    expect(inspect(refusal, { depth: null })).not.toContain("hush-hush")
  })

  it("may have their address as text, which no failure repeats", async () => {
    await expect(build(PgClient.layer({ url }))).resolves.toBeUndefined()
    const query = PgClient.use((client) => client.run({ operation: "test", text: "select 1" }))
    const failure = await Effect.runPromise(Effect.flip(Effect.provide(query, PgClient.layer({ url }))))
    expect(failure.retryable).toBe(true)
    expect(inspect(failure, { depth: null })).not.toContain("hush-hush")
  })
})

it("a client of another driver is refused", async () => {
  const sentence = 'The client of the Postgres adapter must be one of postgres.js, such as postgres("postgres://…")'
  for (const client of [undefined, { query: () => {} }]) {
    await expect(build(layerFrom(client as unknown as PgSql))).rejects.toThrow(sentence)
  }
})
