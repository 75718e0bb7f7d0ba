/**
 * Ids of imported sites, which derive from a seed and the row. An import that is repeated after an
 * interruption gets the seed of the first attempt, so it creates no site a second time.
 */
import { hash } from "node:crypto"
import {
  CurrentCaller,
  IdempotencyStore,
  IdGenerator,
  idempotencyCaller,
  idempotencyKeyHours,
  SeededIds
} from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { Failure } from "../Failure.ts"

/** How long an interrupted import can be repeated. */
const life = { hours: idempotencyKeyHours }

const hex = (value: number): string => value.toString(16).padStart(4, "0")

/**
 * The id of a row. The row replaces 30 of the random bits of the seed, a UUID of version 7, so that
 * ids ascend with the rows.
 */
export const idOfRow = (seed: string, row: number): string =>
  `${seed.slice(0, 19)}${hex(0x8000 | (row >>> 16))}-${hex(row & 0xffff)}${seed.slice(28)}`

const interruptedBefore = new Failure({
  message:
    "An import of this file by an earlier version was interrupted less than a day ago. Compare the sites with the file, and import the rows that are missing."
})

/** Runs a creation that draws these ids, in order. */
export const withIds =
  (ids: ReadonlyArray<string>) =>
  <A, E, R>(create: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const remaining = ids.values()
      const next = Effect.sync(() => remaining.next().value ?? "")
      return Effect.provideService(create, SeededIds, next)
    })

/**
 * Claims the seed of an import with this content. The claim lasts until it is released, for a day at
 * most. Imports of the same content at the same time share it, and create each site once.
 */
export const claimSeed = Effect.fnUntraced(function* (content: string) {
  const caller = yield* CurrentCaller
  const { organisationId } = caller
  const { claim, end } = yield* IdempotencyStore
  const now = yield* DateTime.now
  const fingerprint = hash("sha256", content)
  const key = { caller: idempotencyCaller(caller), key: `solar-sites-import-${fingerprint}` }
  const claimed = yield* claim(organisationId, key, {
    fingerprint,
    seed: yield* yield* IdGenerator,
    now,
    // The lease is over at once: a second attempt need not wait for the first one.
    leaseUntil: DateTime.subtract(now, { seconds: 1 }),
    expiresAt: DateTime.add(now, life)
  })
  // Without a lease and an answer a claim always succeeds, unless an earlier version has made it.
  if (claimed._tag !== "Claimed") return yield* interruptedBefore
  const { seed } = claimed
  return { seed, release: end(organisationId, key, { seed, outcome: { _tag: "Refused" } }) }
})
