/**
 * Promises of every `IdempotencyStore`.
 */
import { IdempotencyStore, maximumAnswerBytes } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { anId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import { atOnceCases, comparedCases } from "./Comparison.ts"
import type { ConformanceCase, ConformanceSuite } from "./Conformance.ts"
import { idempotencyFailures } from "./FailureConformance.ts"
import {
  claimKey,
  claimsOf,
  endClaim,
  findOwners,
  type IdempotencyPorts,
  purgeClaims,
  useKey
} from "./IdempotencySteps.ts"
import { createOrganisations } from "./RandomSteps.ts"
import { changedAt, hostileTexts, insertOrganisation } from "./Setup.ts"

const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join("")
const long = visible.repeat(3).slice(0, 254)
const sunflowers = "\u{1f33b}".repeat(199)
const apiKey = "01980000-0000-7000-8000-00000000000"

const keys = ["1", "11", "a", "A", "aa", "a'--", "%", "_", "$1", "null", "0", "00", visible, `${long}1`, `${long}2`]
const callers = [
  ...["host", "user", "user 1", "user 11", "user 1 1", "User 1", "user '--", "user %", "user $1", "user \u00e9"],
  ...[`user ${sunflowers}1`, `user ${sunflowers}2`, `key ${apiKey}1`, `key ${apiKey}2`, `user ${apiKey}1`]
]
const all = callers.flatMap((caller) => keys.map((key) => ({ caller, key })))
// Each caller with some keys, and one caller with all.
const chosen = all.filter(({ caller, key }) => caller === "user 1" || key === "1" || key === "11")

const answers: ReadonlyArray<string> = [
  ...hostileTexts,
  "",
  '{"status":201,"body":"{\\"id\\":\\"\\u0000\\"}"}',
  "\u0001\u001b\r\n\t\u2028",
  "x".repeat(maximumAnswerBytes),
  "\u20ac".repeat(maximumAnswerBytes / 3)
]

const exactCase: ConformanceCase<IdempotencyPorts> = {
  name: "keeps organisations, callers and keys apart that differ in anything, and each answer as it is",
  check: Effect.gen(function* () {
    const { claim, end } = yield* IdempotencyStore
    const organisations = [yield* insertOrganisation(), yield* insertOrganisation()]
    // The same request, with the same seed, of all of them.
    const [seed, now] = [anId(), changedAt]
    const leaseUntil = DateTime.add(now, { minutes: 1 })
    const request = { fingerprint: "a", seed, now, leaseUntil, expiresAt: DateTime.add(now, { days: 1 }) }
    const claims = organisations.flatMap((owner) => chosen.map((key) => ({ owner, key })))
    for (const { key, owner } of claims) {
      assert.deepEqual(
        yield* claim(owner, key, request),
        { _tag: "Claimed", seed },
        `${owner} ${key.caller} ${key.key}`
      )
    }
    for (const [index, { key, owner }] of claims.entries()) {
      const answer = answers[index] ?? `answer ${index}`
      yield* end(owner, key, { seed, outcome: { _tag: "Answered", answer } })
      assert.deepEqual(
        yield* claim(owner, key, request),
        { _tag: "Answered", seed, answer },
        `the answer ${answer.slice(0, 40)}`
      )
    }
  })
}

const stored = {
  steps: 240,
  counts: { sites: 0, portfolios: 0, documents: 0 },
  before: createOrganisations,
  stateOf: () => Effect.void
}

export const idempotencyStoreConformance: ConformanceSuite<IdempotencyPorts> = {
  port: "IdempotencyStore",
  failures: idempotencyFailures,
  cases: [
    ...comparedCases("claims, ends and purges keys as core does, in organisations with the same ones", stored, [
      claimKey,
      claimKey,
      useKey,
      useKey,
      useKey,
      endClaim,
      endClaim,
      purgeClaims,
      findOwners
    ]),
    ...atOnceCases(
      "claims and ends a key at once as in some order",
      { ...stored, counts: { ...stored.counts, owners: 1 }, stateOf: claimsOf },
      [claimKey, claimKey, claimKey, endClaim, endClaim]
    ),
    exactCase
  ]
}
