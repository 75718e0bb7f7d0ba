/**
 * Random steps about idempotency keys.
 */
import {
  type IdempotencyKey,
  type IdempotencyOutcome,
  type IdempotencyRequest,
  IdempotencyStore,
  type OrganisationId,
  type OrganisationRepository
} from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { anId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import { anOwner, one, type Random, step, type World } from "./RandomSteps.ts"
import { changedAt } from "./Setup.ts"

export type IdempotencyPorts = IdempotencyStore | OrganisationRepository

type IdempotencyStep = Random<IdempotencyPorts>

const first = { caller: "user 1", key: "1" }

/** Keys that a careless adapter takes for each other. Commands at once are about the first one. */
const aKey = ({ of, owners }: World): IdempotencyKey =>
  owners.length === 1 ? first : of(first, { caller: "user 11", key: "1" }, { caller: "user 1", key: "11" })

/** Texts of one and of three bytes. */
const answers = ["", "ten bytes.", "\u20ac\u20ac", "x"]

const after = ({ clock }: World, seconds: number): DateTime.Utc =>
  DateTime.add(changedAt, { seconds: clock.now + seconds })

/** A seed of another claim, and mostly one of few. */
const aSeed = (world: World): string => one(world, world.of(world.seeds.slice(0, 3), world.seeds.slice(-2)))

/** No two claims expire at one instant. */
const aRequest = (world: World): IdempotencyRequest => {
  const { below, clock, of, seeds } = world
  const now = after(world, 0)
  clock.now += below(2)
  const leaseUntil = after(world, 2 + below(8))
  const expiresAt = DateTime.add(leaseUntil, { seconds: below(12), milliseconds: seeds.length })
  // Often that of another claim.
  const seed = of(anId(), aSeed(world))
  seeds.push(seed)
  return { fingerprint: of("a", "a", "A"), seed, now, leaseUntil, expiresAt }
}

const anOutcome = (world: World): IdempotencyOutcome => {
  const answered = { _tag: "Answered", answer: one(world, answers) } as const
  // `claimsOf` does not show which of two ends of a lease came last.
  const now = world.owners.length === 1 ? changedAt : after(world, 0)
  return world.of<IdempotencyOutcome>(answered, { _tag: "Refused" }, { _tag: "Unknown", now })
}

export const claimKey: IdempotencyStep = (world) => {
  const [organisationId, key, request] = [anOwner(world), aKey(world), aRequest(world)]
  const run = IdempotencyStore.use(({ claim }) => claim(organisationId, key, request))
  return step(`claim ${JSON.stringify({ ...key, ...request })}`, organisationId, run)
}

/** Claims a key, and ends the claim when it has the seed of it. */
export const useKey: IdempotencyStep = (world) => {
  const [organisationId, key, request, outcome] = [anOwner(world), aKey(world), aRequest(world), anOutcome(world)]
  const run = Effect.gen(function* () {
    const { claim, end } = yield* IdempotencyStore
    const found = yield* claim(organisationId, key, request)
    if ("seed" in found) yield* end(organisationId, key, { seed: found.seed, outcome })
    return found
  })
  return step(`use ${JSON.stringify({ ...key, ...request, outcome })}`, organisationId, run)
}

/** Ends a claim with a seed, which may be that of another key or organisation. */
export const endClaim: IdempotencyStep = (world) => {
  const [organisationId, key, outcome] = [anOwner(world), aKey(world), anOutcome(world)]
  const seed = aSeed(world)
  const run = IdempotencyStore.use(({ end }) => end(organisationId, key, { seed, outcome }))
  return step(`end ${JSON.stringify({ ...key, seed, outcome })}`, organisationId, run)
}

export const purgeClaims: IdempotencyStep = (world) => {
  const organisationId = anOwner(world)
  const options = {
    now: after(world, 0),
    limit: world.of(1, 1, 100),
    maximumBytes: one(world, [0, 1, 6, 7, 9, 10, 100])
  }
  const run = IdempotencyStore.use(({ purge }) => purge(organisationId, options))
  return step(`purge ${JSON.stringify(options)}`, organisationId, run)
}

/** Finds organisations, others than those of this case too. */
export const findOwners: IdempotencyStep = ({ owners }) => {
  const ids = owners.map(({ id }) => id)
  const own = (found: ReadonlyArray<OrganisationId>) => found.filter((id) => ids.includes(id))
  const run = Effect.gen(function* () {
    const { findOrganisations } = yield* IdempotencyStore
    const [least] = yield* findOrganisations({ after: null, limit: 1 })
    const all = yield* findOrganisations({ after: null, limit: 100_000 })
    assert.equal(least, all[0], "as many as the limit, in order")
    return [own(all), own(yield* findOrganisations({ after: ids[0] ?? null, limit: 1 }))]
  })
  return { name: "find organisations", run }
}

/** The claim of the key of commands at once. A claim at the first instant takes nothing from later ones. */
export const claimsOf = (organisationId: OrganisationId) =>
  IdempotencyStore.use(({ claim }) =>
    Effect.forEach(["a", "A"], (fingerprint) => {
      const [seed, now] = ["00000000-0000-7000-8000-000000000000", changedAt]
      const request = { fingerprint, seed, now, leaseUntil: now, expiresAt: now }
      return claim(organisationId, first, request)
    })
  )
