import { inspect } from "node:util"
import { layerFrom, PgClient, type PgLayerOptions, type PgSql } from "@solar-sites/adapter-postgres"
import { Effect, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { addressRules, parseAddress } from "../src/client/PgAddress.ts"

const build = (client: Layer.Layer<PgClient>) => Effect.runPromise(Effect.asVoid(Effect.scoped(Layer.build(client))))

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error
  }
}

const url = "postgres://solar:hush-hush@127.0.0.1:1/solar"
const aUrl =
  "url of the Postgres adapter must be the address of a Postgres database, such as postgres://user:password@host:5432/database, as text or Redacted"
const anAddress = "url of the Postgres adapter must be an address"
const twoHosts = "such as postgres://user:password@a:5432,b:5432/database"
const attributes = `${anAddress} whose target_session_attrs is read-write or primary, or any with one host`
const addressOf = (hosts: string, wanted?: string) =>
  `postgres://solar:hush-hush@${hosts}/solar${wanted === undefined ? "" : `?target_session_attrs=${wanted}`}`
const aSize = "poolSize of the Postgres adapter must be a whole number of connections, such as 10"
const anObject = "The options of the Postgres adapter must be an object with some of url, schema, queryTimeout,"
const aPooler = 'pooler of the Postgres adapter must be "session" or "transaction"'
const aDuration = 'of the Postgres adapter must be a duration, such as "5 seconds"'

describe("options of a pool", () => {
  it.each([
    [undefined, anObject],
    [{ ulr: url }, "the Postgres adapter has no option ulr; it has url, schema, queryTimeout, rowLevelSecurity,"],
    [{}, `${aUrl}; it is undefined`],
    [{ url: "" }, `${aUrl}; it is an empty text`],
    [{ url: "hush-hush@127.0.0.1:5432/solar" }, `${aUrl}; it is another text`],
    [{ url: "mysql://solar:hush-hush@127.0.0.1/solar" }, `${aUrl}; it is another text`],
    [{ url: Redacted.make("postgres://solar:hush-hush@127.0.0.1:port/solar") }, `${aUrl}; it is another text`],
    [{ url: Redacted.make("postgres://solar:hush-hush@ho st/x") }, `${aUrl}; it is another text`],
    [{ url: Redacted.make(undefined) }, `${aUrl}; it is undefined`],
    [{ url: new URL(url) }, `${aUrl}; it is an object`],
    [{ url: addressOf("a:5432,,b") }, `${anAddress} without an empty host, ${twoHosts}`],
    [{ url: addressOf("a,b,") }, `${anAddress} without an empty host`],
    [{ url: addressOf("%2Frun%2Fpostgresql,b") }, `${anAddress} whose hosts are names or IPv4 addresses, ${twoHosts}`],
    [{ url: addressOf("a,[::1]:5432") }, "no sockets or IPv6 addresses among several hosts"],
    [{ url: addressOf("a,b:port") }, `${anAddress} whose hosts are`],
    [{ url: addressOf("a,b", "any") }, attributes],
    [{ url: addressOf("a", "standby") }, attributes],
    [{ url: addressOf("a,b", "read-write&target_session_attrs=any") }, attributes],
    [{ url, poolSize: 0 }, `${aSize}; it is 0`],
    [{ url, poolSize: 2.5 }, `${aSize}; it is 2.5`],
    [{ url, poolSize: "10" }, `${aSize}; it is another text`],
    [{ url, pooler: "txn" }, `${aPooler}; it is another text`],
    [{ url, queryTimeout: "soon" }, `queryTimeout ${aDuration}; it is another text`],
    [{ url, queryTimeout: 0 }, `queryTimeout ${aDuration}; it is 0`],
    [{ url, connectTimeout: Number.NaN }, `connectTimeout ${aDuration}; it is NaN`],
    [{ url, schema: 7 }, "schema of the Postgres adapter must be a name of at most 63 bytes"],
    [{ url, schema: "ü".repeat(32) }, "at most 63 bytes"],
    [{ url, rowLevelSecurity: "on" }, "rowLevelSecurity of the Postgres adapter must be true or false"],
    [{ url, applicationName: 7 }, "applicationName of the Postgres adapter must be a text; it is 7"]
  ])("are refused at once, without the password: %o", (options, sentence) => {
    // As from JavaScript, which checks no types.
    const refusal = thrownBy(() => PgClient.layer(options as PgLayerOptions))
    expect(refusal).toBeInstanceOf(TypeError)
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

describe("an address", () => {
  it.each([
    [url, ["127.0.0.1:1"], false, [url]],
    [addressOf("a", "any"), ["a"], false, [addressOf("a")]],
    [addressOf("a:1", "primary"), ["a:1"], true, [addressOf("a:1")]],
    [addressOf("a:1,b"), ["a:1", "b"], true, [addressOf("a:1"), addressOf("b")]],
    [
      "postgresql://u%40x:p%2Fq@a,10.0.0.1:6/d?sslmode=require&target_session_attrs=read-write",
      ["a", "10.0.0.1:6"],
      true,
      ["postgresql://u%40x:p%2Fq@a/d?sslmode=require", "postgresql://u%40x:p%2Fq@10.0.0.1:6/d?sslmode=require"]
    ],
    ["postgres:///solar", [""], false, ["postgres:///solar"]]
  ])("has hosts, each with an address of its own: %s", (text, names, isPrimary, urls) => {
    expect(addressRules.every(({ holds }) => holds(text))).toBe(true)
    const address = parseAddress(text)
    expect(address.isPrimary).toBe(isPrimary)
    expect(address.hosts).toEqual(names.map((name, index) => ({ name, url: urls[index] })))
  })

  it("of two dead hosts fails at once, with the reason of each and without the password", async () => {
    const query = PgClient.use((client) => client.run({ operation: "test", text: "select 1" }))
    const dead = PgClient.layer({ url: addressOf("127.0.0.1:1,127.0.0.1:2") })
    const failure = await Effect.runPromise(Effect.flip(Effect.provide(query, dead)))
    expect(failure.retryable).toBe(true)
    const shown = inspect(failure, { depth: null })
    expect(shown).toContain("no host accepts writes")
    for (const port of [1, 2]) expect(shown).toContain(`127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`)
    expect(shown).not.toContain("hush-hush")
  })
})

it("a client of another driver is refused, and so are wrong options beside a client", () => {
  const sentence = 'The client of the Postgres adapter must be one of postgres.js, such as postgres("postgres://…")'
  for (const client of [undefined, { query: () => {} }]) {
    expect(() => layerFrom(client as unknown as PgSql)).toThrow(sentence)
  }
  const client = { unsafe: () => {} } as unknown as PgSql
  // As from JavaScript, which checks no types.
  expect(() => layerFrom(client, { poolSize: 5 } as never)).toThrow("the Postgres adapter has no option poolSize")
})
