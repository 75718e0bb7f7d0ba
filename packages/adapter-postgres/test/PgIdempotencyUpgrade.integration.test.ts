/**
 * Claims of the version before callers had keys of their own: its column `key` holds the key alone.
 */
import { assert, describe, it } from "@effect/vitest"
import { PgClient, type PgPorts } from "@solar-sites/adapter-postgres"
import { type IdempotencyRequest, IdempotencyStore, makeUuidV7, OrganisationRepository } from "@solar-sites/core"
import { anOrganisation } from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
import { onPostgres, withoutPostgres } from "./Databases.ts"

const start = DateTime.makeUnsafe("2026-06-01T12:00:00Z")
const at = (millis: number) => DateTime.add(start, { milliseconds: millis })
const day = 86_400_000

const requestAt = Effect.fnUntraced(function* (millis: number): Effect.fn.Return<IdempotencyRequest> {
  const [now, leaseUntil, expiresAt] = [at(millis), at(millis + 60_000), at(millis + day)]
  return { fingerprint: "a", seed: yield* makeUuidV7(), now, leaseUntil, expiresAt }
})

/** The statement of the version before. Returns the result of the claim. */
const claimBefore = Effect.fnUntraced(function* (organisationId: string, key: string, request: IdempotencyRequest) {
  const { run, schema } = yield* PgClient
  const [now, leaseUntil, expiresAt] = [request.now, request.leaseUntil, request.expiresAt].map(
    (instant) => `timestamptz '${DateTime.formatIso(instant)}'`
  )
  const fresh = `i.expires_at <= ${now}`
  const rows = yield* run({
    operation: "test",
    text: `
      insert into ${schema}.idempotency as i (
        organisation_id, key, fingerprint, seed, lease_until, expires_at, last_claim
      ) values ('${organisationId}', '${key}', '${request.fingerprint}', '${request.seed}',
        ${leaseUntil}, ${expiresAt}, 'Claimed')
      on conflict (organisation_id, key) do update set
        seed = case when ${fresh} then excluded.seed else i.seed end,
        expires_at = case when ${fresh} then excluded.expires_at else i.expires_at end,
        last_claim = case
          when ${fresh} then 'Claimed'
          when i.answer is not null then 'Answered'
          when i.lease_until > ${now} then 'InUse'
          else 'Claimed' end
      returning i.last_claim`
  })
  return rows[0]?.[0]
})

const answerBefore = Effect.fnUntraced(function* (organisationId: string, key: string) {
  const { run, schema } = yield* PgClient
  const text = `update ${schema}.idempotency set answer = 'secret' where organisation_id = '${organisationId}' and key = '${key}'`
  yield* run({ operation: "test", text })
})

const setup = Effect.gen(function* () {
  const { id } = anOrganisation()
  yield* (yield* OrganisationRepository).insert({ ...anOrganisation(), id })
  const store = yield* IdempotencyStore
  const claim = (caller: string, key: string, millis: number) =>
    Effect.flatMap(requestAt(millis), (request) => store.claim(id, { caller, key }, request))
  const before = (key: string, millis: number) =>
    Effect.flatMap(requestAt(millis), (request) => claimBefore(id, key, request))
  return { id, store, claim, before }
})

const onOwnSchema = <A, E>(effect: Effect.Effect<A, E, PgPorts | PgClient>) =>
  Effect.flatMap(onPostgres(), (database) => Effect.provide(effect, database))

describe.skipIf(withoutPostgres)("claims of the version before on Postgres", () => {
  it.live("are not replayed and not run again while they live, whether answered or not", () =>
    Effect.gen(function* () {
      const { before, claim, id } = yield* setup
      for (const key of ["answered", "running"]) assert.strictEqual(yield* before(key, 0), "Claimed")
      yield* answerBefore(id, "answered")
      for (const key of ["answered", "running"]) {
        for (const caller of ["host", "user 1"]) {
          assert.deepStrictEqual(yield* claim(caller, key, day - 1), { _tag: "Reused" })
          assert.strictEqual((yield* claim(caller, key, day))._tag, "Claimed")
        }
      }
      assert.strictEqual((yield* claim("user 1", "another", 0))._tag, "Claimed")
      const other = yield* setup
      for (const key of ["answered", "running"]) {
        assert.strictEqual((yield* other.claim("user 1", key, day - 1))._tag, "Claimed", "another organisation")
      }
    }).pipe(onOwnSchema)
  )

  it.live("go on beside those of callers, and are purged with them", () =>
    Effect.gen(function* () {
      const { before, claim, id, store } = yield* setup
      assert.strictEqual((yield* claim("user 1", "one", 0))._tag, "Claimed")
      assert.strictEqual(yield* before("one", 1), "Claimed")
      assert.strictEqual(yield* before("one", 2), "InUse")
      yield* answerBefore(id, "one")
      assert.strictEqual(yield* before("one", 3), "Answered")
      const removed = yield* store.purge(id, { now: at(day + 1), limit: 10, maximumBytes: 1_000 })
      assert.strictEqual(removed, 2)
    }).pipe(onOwnSchema)
  )
})
