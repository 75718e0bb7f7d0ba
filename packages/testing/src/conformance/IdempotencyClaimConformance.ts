/**
 * Claims of an `IdempotencyStore`: exclusivity and leases.
 */
import { IdempotencyStore } from "@solar-sites/core"
import { Effect } from "effect"
import { anOrganisationId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { repeatedly } from "./Expectations.ts"
import {
  aKey,
  alive,
  aRequest,
  expired,
  type IdempotencyPorts,
  inUse,
  keyOf,
  leased,
  reused,
  unleased
} from "./IdempotencySetup.ts"
import { changedAt, insertOrganisation } from "./Setup.ts"
import { inBothZones } from "./TimeZone.ts"

const ten = Array.from({ length: 10 }, (_, index) => index)
const atOnce = { concurrency: "unbounded" } as const

export const idempotencyClaimCases: ReadonlyArray<ConformanceCase<IdempotencyPorts>> = [
  {
    name: "claims a request once, with its own seed, and reports it in use afterwards",
    check: Effect.gen(function* () {
      const key = yield* aKey
      const request = yield* aRequest("a")
      assert.deepEqual(yield* key.claimAs(request), { _tag: "Claimed", seed: request.seed })
      assert.deepEqual(yield* key.claimAs(request), inUse, "the very same claim once more")
      for (const millis of [0, 1, leased]) assert.deepEqual(yield* key.claim("a", millis), inUse, `after ${millis} ms`)
    })
  },
  {
    name: "lets exactly one of ten concurrent claims win",
    check: repeatedly(
      Effect.gen(function* () {
        const key = yield* aKey
        const claims = yield* Effect.forEach(ten, () => key.claim("a"), atOnce)
        assert.equal(claims.filter(({ _tag }) => _tag === "Claimed").length, 1, "one is let through")
        assert.equal(claims.filter(({ _tag }) => _tag === "InUse").length, 9, "the others are told so")
      })
    )
  },
  {
    name: "lets one of ten different concurrent requests win, and reports the key as reused to the others",
    check: repeatedly(
      Effect.gen(function* () {
        const key = yield* aKey
        const claims = yield* Effect.forEach(ten, (index) => key.claim(`request ${index}`), atOnce)
        assert.equal(claims.filter(({ _tag }) => _tag === "Claimed").length, 1, "one is let through")
        assert.equal(claims.filter(({ _tag }) => _tag === "Reused").length, 9, "the others are told so")
      })
    )
  },
  {
    name: "gives the key to no other request, in any state of the first one",
    check: Effect.gen(function* () {
      const key = yield* aKey
      const seed = yield* key.claimed("a")
      for (const millis of [0, leased, unleased, alive]) {
        for (const other of ["b", "A", "a ", ""]) {
          assert.deepEqual(yield* key.claim(other, millis), reused, `${JSON.stringify(other)} after ${millis} ms`)
        }
      }
      yield* key.abandon(seed, 1)
      assert.deepEqual(yield* key.claim("b", 1), reused, "after it was abandoned")
      assert.equal(yield* key.claimed("a", 1), seed, "the first one is let through again")
      yield* key.complete(seed, "done")
      assert.deepEqual(yield* key.claim("b", alive), reused, "after it was answered")
    })
  },
  ...inBothZones({
    name: "claims the same request again, with its seed, after the end of its lease",
    check: Effect.gen(function* () {
      const key = yield* aKey
      const seed = yield* key.claimed("a")
      assert.equal(yield* key.claimed("a", unleased), seed, "the lease has run out")
      assert.deepEqual(yield* key.claim("a", unleased + leased), inUse, "the new lease is as long as the first")
      const claims = yield* Effect.forEach(ten, () => key.claim("a", unleased * 2), atOnce)
      const through = claims.filter(({ _tag }) => _tag === "Claimed")
      assert.deepEqual(through, [{ _tag: "Claimed", seed }], "one of ten at once, with the same seed")
      yield* key.complete(seed, "done")
      const { _tag } = yield* key.claim("a", alive)
      assert.equal(_tag, "Answered", "claiming again prolongs no life and ends none")
    })
  }),
  {
    name: "claims an abandoned request again at once, with its seed",
    check: Effect.gen(function* () {
      const key = yield* aKey
      const seed = yield* key.claimed("a")
      yield* key.abandon(seed, 5)
      const claims = yield* Effect.forEach(ten, () => key.claim("a", 5), atOnce)
      assert.deepEqual(
        claims.filter(({ _tag }) => _tag !== "InUse"),
        [{ _tag: "Claimed", seed }]
      )
    })
  },
  {
    name: "frees a released key for any request, which gets a seed of its own",
    check: Effect.gen(function* () {
      const key = yield* aKey
      const first = yield* key.claimed("a")
      yield* key.release(first)
      const second = yield* key.claimed("b")
      assert.notEqual(second, first)
      yield* key.release(second)
      assert.notEqual(yield* key.claimed("a"), first)
    })
  },
  ...inBothZones({
    name: "drops a claim when it expires, in any state",
    check: Effect.gen(function* () {
      const histories = ["left alone", "abandoned", "answered"] as const
      for (const way of histories) {
        const key = yield* aKey
        const seed = yield* key.claimed("a")
        if (way === "abandoned") yield* key.abandon(seed, 1)
        if (way === "answered") yield* key.complete(seed, "done")
        assert.deepEqual(yield* key.claim("b", alive), reused, `a claim that was ${way} lives to the end`)
        const fresh = yield* key.claimed("b", expired)
        assert.notEqual(fresh, seed, `the seed of a claim that was ${way} goes with it`)
        yield* key.complete(seed, "too late")
        assert.deepEqual(yield* key.claim("b", expired), inUse, "the new claim is not answered by the old one")
        assert.deepEqual(yield* key.claim("b", expired + alive), { _tag: "Claimed", seed: fresh }, "and lives as long")
      }
    })
  }),
  {
    name: "keeps a claim apart from one of another organisation with the same key, request and seed",
    check: Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const organisationId = yield* insertOrganisation()
      const [own, other] = [keyOf(store, organisationId, "a"), keyOf(store, yield* insertOrganisation(), "a")]
      const request = yield* aRequest("a", 1)
      const { seed } = request
      assert.deepEqual(yield* own.claimAs(request), { _tag: "Claimed", seed }, "the first organisation's claim")
      assert.deepEqual(yield* other.claimAs(request), { _tag: "Claimed", seed }, "the second organisation's claim")
      yield* own.abandon(seed, 1)
      assert.deepEqual(yield* other.claim("a", 2), inUse, "the end of the other organisation's lease")
      yield* own.complete(seed, "done")
      assert.deepEqual(yield* other.claim("a", 2), inUse, "the answer of the other organisation")
      yield* other.release(seed)
      assert.equal((yield* own.claim("a", 2))._tag, "Answered", "the release of the other organisation")
      const next = yield* other.claimed("b", expired)
      yield* own.release(next)
      assert.deepEqual(yield* other.claim("b", expired), inUse, "a seed of the other organisation")
      yield* store.purge(organisationId, { now: changedAt, limit: 10, maximumBytes: 0 })
      assert.deepEqual(yield* other.claim("b", expired + 1), inUse, "a key that has expired elsewhere")
    })
  },
  {
    name: "keeps the keys of organisations apart, and keys that differ in anything",
    check: Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join("")
      const long = visible.repeat(3).slice(0, 254)
      const names = ["a", "A", "aa", "a'--", "%", "_", "$1", "null", "0", "00", visible, `${long}1`, `${long}2`]
      const organisations = [yield* insertOrganisation(), yield* insertOrganisation(), anOrganisationId()]
      const seeds: Array<string> = []
      for (const organisationId of organisations) {
        for (const name of names) seeds.push(yield* keyOf(store, organisationId, name).claimed("a"))
      }
      assert.equal(new Set(seeds).size, seeds.length, "each has its own claim")
      const [first = "", other = ""] = [seeds[0], seeds[names.length]]
      for (const organisationId of organisations.slice(1)) {
        const stranger = keyOf(store, organisationId, "a")
        yield* stranger.complete(first, "done")
        yield* stranger.release(first)
        yield* stranger.abandon(first, 0)
        assert.deepEqual(yield* stranger.claim("a"), inUse, "a seed of another organisation means nothing")
      }
      yield* keyOf(store, organisations[1] ?? anOrganisationId(), "a").complete(other, "done")
      const own = keyOf(store, organisations[0] ?? anOrganisationId(), "a")
      assert.deepEqual(yield* own.claim("a"), inUse, "nor does what strangers do with theirs")
    })
  }
]
