import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { PgClient, type PgLayerOptions } from "@solar-sites/adapter-postgres"
import { Redacted } from "effect"

/** The error that `PgClient.layer` throws for these options, with all its members. */
const refusalOf = (options: PgLayerOptions): string => {
  try {
    PgClient.layer(options)
    return "accepted"
  } catch (error) {
    return inspect(error, { depth: null, showHidden: true })
  }
}

describe("PgClient.layer", () => {
  it("names the form of an address without repeating the given one", () => {
    const refusal = refusalOf({ url: Redacted.make("postgres://user:pa:ss@ho st/x") })
    assert.include(refusal, "such as postgres://user:password@host")
    assert.notInclude(refusal, "pa:ss")
  })

  it("refuses the name of a schema that Postgres would cut", () => {
    assert.include(refusalOf({ url: "postgres://127.0.0.1:1/x", schema: "ü".repeat(32) }), "at most 63 bytes")
  })
})
