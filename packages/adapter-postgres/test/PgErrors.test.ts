import { RepositoryError } from "@solar-sites/core"
import { assert, describe, it } from "vitest"
import {
  isConnectionLost,
  isRefused,
  isRetryable,
  isRolledBack,
  mayHaveMoved,
  PgFailure,
  toFailure,
  violates
} from "../src/client/PgErrors.ts"

const failure = (code?: string) => new PgFailure("failed", code)

describe("failures of Postgres", () => {
  for (const code of [
    "08006", // connection failure
    "28P01", // wrong password
    "3D000", // no such database
    "40001", // serialisation failure
    "53100", // disk full
    "53300", // too many connections
    "57014", // statement timeout
    "57P01", // shutting down
    "57P03", // starting up
    "25006", // a standby
    "ECONNREFUSED",
    "EPIPE",
    "ENOTFOUND",
    "CONNECT_TIMEOUT",
    "CONNECTION_CLOSED",
    "CERT_HAS_EXPIRED",
    "QUERY_TIMEOUT"
  ]) {
    it(`may pass: ${code}`, () => assert.isTrue(isRetryable(failure(code))))
  }

  for (const code of ["23505", "23503", "42601", "42P01", "22P02", "42501", undefined]) {
    it(`point to a bug: ${code}`, () => assert.isFalse(isRetryable(failure(code))))
  }

  it("allow a retry of a write only when nothing took effect for certain", () => {
    const codes = ["40001", "40P01", "57P01", "CONNECTION_CLOSED", "PGLITE_FAILED", "08006", "57014"]
    assert.deepStrictEqual(
      codes.filter((code) => isRolledBack(failure(code))),
      ["40001", "40P01"]
    )
    assert.deepStrictEqual(
      codes.filter((code) => isConnectionLost(failure(code))),
      ["57P01", "CONNECTION_CLOSED", "PGLITE_FAILED", "08006"]
    )
  })

  it("may mean that another host is the primary now", () => {
    const codes = ["25006", "57P01", "57P03", "08006", "ECONNREFUSED", "CONNECT_TIMEOUT", "23505", "53300", "57014"]
    assert.deepStrictEqual(
      codes.filter((code) => mayHaveMoved(failure(code))),
      codes.slice(0, 6)
    )
  })

  it("are refusals when the server rejected the contents, and not when the server or the connection failed", () => {
    const codes = [
      "21000",
      "22P02",
      "23503",
      "23514",
      "40P01",
      "28P01",
      "53300",
      "57014",
      "57P01",
      "42601",
      "EPIPE",
      "08006",
      "42501",
      "P0001",
      "44000"
    ]
    assert.deepStrictEqual(
      codes.filter((code) => isRefused(failure(code))),
      ["21000", "22P02", "23503", "23514", "40P01", "42501", "P0001", "44000"]
    )
    assert.isFalse(isRefused(failure()))
  })

  it("keep code, constraint and message only", () => {
    const said = {
      message: "duplicate key",
      code: "23505",
      constraint_name: "api_key_digest",
      detail: "Key (digest)=(x)"
    }
    const kept = toFailure(Object.assign(new Error(said.message), said))
    assert.deepStrictEqual({ ...kept }, { name: "PgFailure", code: "23505", constraint: "api_key_digest" })
    assert.strictEqual(kept.message, "duplicate key")
  })

  it("say how to create missing tables", () => {
    for (const code of ["42P01", "3F000"]) {
      const { message } = toFailure(Object.assign(new Error('"solar.site" does not exist'), { code }))
      assert.match(message, /^"solar.site" does not exist; run `migrate` of @solar-sites\/adapter-postgres/)
    }
  })

  it("match the named constraint only", () => {
    const error = new RepositoryError({
      operation: "SiteRepository.insert",
      retryable: false,
      cause: new PgFailure("violated", "23503", "site_portfolio")
    })
    assert.isTrue(violates("site_portfolio")(error))
    assert.isFalse(violates("site_organisation")(error))
  })

  it("name the constraint of a shard without its id, also where Citus forwards it in the message only", () => {
    const constraintOf = (code: string, message: string) => toFailure({ code, message }).constraint
    const onCoordinator = { code: "23505", message: "duplicate key", constraint_name: "webhook_slot_102088" }
    assert.strictEqual(toFailure(onCoordinator).constraint, "webhook_slot")
    const broken = 'insert on table "site_102011" violates foreign key constraint "site_portfolio_102011"'
    assert.strictEqual(constraintOf("23503", broken), "site_portfolio")
    assert.strictEqual(constraintOf("23505", 'violates unique constraint "webhook_pkey_102040"'), "webhook_pkey")
    assert.strictEqual(
      constraintOf("23514", 'too many (constraint "document_pending_maximum")'),
      "document_pending_maximum"
    )
    assert.isUndefined(constraintOf("42601", broken))
  })
})
