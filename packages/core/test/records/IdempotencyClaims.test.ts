import { type IdempotencyOutcome, Revision } from "@solar-sites/core"
import { anOrganisationId } from "@solar-sites/testing"
import { DateTime } from "effect"
import { expect, it } from "vitest"
import { claimKey, endClaim, type IdempotencyClaimRecord, purgeClaims } from "../../src/records/IdempotencyClaims.ts"

const organisationId = anOrganisationId()
const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1_000)
const key = { caller: "user 1", key: "k" }
const request = (seed: string, now: number, fingerprint = "f") => ({
  fingerprint,
  seed,
  now: at(now),
  leaseUntil: at(now + 10),
  expiresAt: at(now + 100)
})
const stored = (record: IdempotencyClaimRecord) => ({ record, revision: Revision("1") })

const claimed = (members: Partial<IdempotencyClaimRecord> = {}, name = key) => {
  const after = claimKey(null, organisationId, name, request("first", 0)).writes[0]?.after
  if (after === undefined) throw new Error("no claim")
  return stored(Object.assign(Object.create(Object.getPrototypeOf(after)), after, members))
}

it("a key is claimed once, by one request, until its lease ends", () => {
  const claim = (now: number, fingerprint?: string, before = claimed()) =>
    claimKey(before, organisationId, key, request("second", now, fingerprint)).answer
  expect(claim(9)).toEqual({ _tag: "InUse" })
  expect(claim(10)).toEqual({ _tag: "Claimed", seed: "first" })
  expect(claim(9, "g")).toEqual({ _tag: "Reused" })
  expect(claim(100, "g")).toEqual({ _tag: "Claimed", seed: "second" })
  expect(claim(9, "f", claimed({ answer: "{}" }))).toEqual({ _tag: "Answered", seed: "first", answer: "{}" })
})

it("a claim ends by its own seed, once", () => {
  const end = (outcome: IdempotencyOutcome, before = claimed(), seed = "first") =>
    endClaim(before, { seed, outcome }).map(({ after }) => after)
  expect(end({ _tag: "Answered", answer: "{}" })).toMatchObject([{ answer: "{}", seed: "first" }])
  expect(end({ _tag: "Refused" })).toEqual([null])
  expect(end({ _tag: "Unknown", now: at(3) })).toMatchObject([{ leaseUntil: at(3), answer: null }])
  expect(end({ _tag: "Refused" }, claimed(), "other")).toEqual([])
  expect(end({ _tag: "Refused" }, claimed({ answer: "{}" }))).toEqual([])
  expect(endClaim(null, { seed: "first", outcome: { _tag: "Refused" } })).toEqual([])
})

it("a purge removes expired claims, and drops the answers that expire first", () => {
  const claims = [5, 20, 30, 40].map((seconds) =>
    claimed({ expiresAt: at(seconds), answer: "ten bytes." }, { caller: "user 1", key: String(seconds) })
  )
  const { answer, writes } = purgeClaims(claims, { now: at(10), limit: 5, maximumBytes: 25 })
  expect(answer).toBe(1)
  expect(writes.map(({ after, id }) => [id, after && [after.answer, after.leaseUntil]])).toEqual([
    ["user 1 5", null],
    ["user 1 20", [null, at(10)]]
  ])
  expect(purgeClaims(claims, { now: at(50), limit: 2, maximumBytes: 0 }).writes.map(({ id }) => id)).toEqual([
    "user 1 20",
    "user 1 5"
  ])
})
