/**
 * Idempotency keys over any store of records, for adapters without statements of their own.
 */
import { DateTime, Effect, Result, Schema } from "effect"
import type {
  IdempotencyClaim,
  IdempotencyKey,
  IdempotencyPurge,
  IdempotencyRequest,
  IdempotencyStore
} from "../caller/IdempotencyStore.ts"
import { originWithoutEvents } from "../events/EventOrigin.ts"
import { OrganisationId } from "../organisations/Organisation.ts"
import { type Decision, makeDeciding } from "./Deciding.ts"
import type { Found } from "./Found.ts"
import { makeUnchecked } from "./MakeUnchecked.ts"
import { recordKind, type Stored, type Write } from "./RecordKind.ts"
import { Records } from "./Records.ts"

/** A claimed key. `id` is its caller and its text. */
export class IdempotencyClaimRecord extends Schema.Class<IdempotencyClaimRecord>(
  "@solar-sites/core/IdempotencyClaimRecord"
)({
  id: Schema.String,
  organisationId: OrganisationId,
  fingerprint: Schema.String,
  seed: Schema.String,
  leaseUntil: Schema.DateTimeUtcFromString,
  expiresAt: Schema.DateTimeUtcFromString,
  answer: Schema.NullOr(Schema.String)
}) {}

export const idempotencyClaimKind = recordKind("idempotency_claim", IdempotencyClaimRecord, {
  indexed: ["organisationId"]
})

/** A caller is any text, a key has no space. */
const idOf = ({ caller, key }: IdempotencyKey): string => `${caller} ${key}`

const decision = <A>(
  answer: A,
  write?: { readonly before: Stored<IdempotencyClaimRecord> | null; readonly after: IdempotencyClaimRecord }
) => ({ answer, writes: write === undefined ? [] : [{ kind: idempotencyClaimKind, id: write.after.id, ...write }] })

/** Claims a key. */
export const claimKey = (
  before: Stored<IdempotencyClaimRecord> | null,
  organisationId: OrganisationId,
  key: IdempotencyKey,
  { now, ...request }: IdempotencyRequest
) => {
  if (before === null || DateTime.isLessThanOrEqualTo(before.record.expiresAt, now)) {
    const after = makeUnchecked(IdempotencyClaimRecord, { ...request, id: idOf(key), organisationId, answer: null })
    return decision<IdempotencyClaim>({ _tag: "Claimed", seed: request.seed }, { before, after })
  }
  const { answer, fingerprint, leaseUntil, seed } = before.record
  if (fingerprint !== request.fingerprint) return decision<IdempotencyClaim>({ _tag: "Reused" })
  if (answer !== null) return decision<IdempotencyClaim>({ _tag: "Answered", seed, answer })
  if (DateTime.isGreaterThan(leaseUntil, now)) return decision<IdempotencyClaim>({ _tag: "InUse" })
  const after = makeUnchecked(IdempotencyClaimRecord, { ...before.record, leaseUntil: request.leaseUntil })
  return decision<IdempotencyClaim>({ _tag: "Claimed", seed }, { before, after })
}

/** Ends a claim. */
export const endClaim = (
  before: Stored<IdempotencyClaimRecord> | null,
  { outcome, seed }: Parameters<IdempotencyStore["Service"]["end"]>[2]
) => {
  if (before === null || before.record.seed !== seed || before.record.answer !== null) return []
  const { id } = before.record
  if (outcome._tag === "Refused") return [{ kind: idempotencyClaimKind, id, before, after: null }]
  const members = outcome._tag === "Answered" ? { answer: outcome.answer } : { leaseUntil: outcome.now }
  const after = makeUnchecked(IdempotencyClaimRecord, { ...before.record, ...members })
  return [{ kind: idempotencyClaimKind, id, before, after }]
}

/** Removes expired claims, and drops answers that are too many bytes together. Those that expire first go. */
export const purgeClaims = (
  all: ReadonlyArray<Stored<IdempotencyClaimRecord>>,
  { limit, maximumBytes, now }: IdempotencyPurge
) => {
  const newestFirst = all.toSorted((a, b) => DateTime.Order(b.record.expiresAt, a.record.expiresAt))
  const expired = newestFirst.filter(({ record }) => DateTime.isLessThanOrEqualTo(record.expiresAt, now))
  let bytes = 0
  const dropped = newestFirst.filter(({ record: { answer, expiresAt } }) => {
    if (answer === null || DateTime.isLessThanOrEqualTo(expiresAt, now)) return false
    bytes += Buffer.byteLength(answer)
    return bytes > maximumBytes
  })
  const removals = expired.slice(-limit).map((before) => ({ before, after: null }))
  const changes = dropped.map((before) => ({
    before,
    after: makeUnchecked(IdempotencyClaimRecord, { ...before.record, answer: null, leaseUntil: now })
  }))
  return {
    answer: removals.length,
    writes: [...removals, ...changes].map((write) => ({
      kind: idempotencyClaimKind,
      id: write.before.record.id,
      ...write
    }))
  }
}

/** The methods of `IdempotencyStore` within one organisation. */
export const idempotencyClaims: Effect.Effect<
  Pick<IdempotencyStore["Service"], "claim" | "end" | "purge">,
  never,
  Records
> = Effect.gen(function* () {
  const deciding = makeDeciding(yield* Records)
  const decide = <A>(
    method: string,
    organisationId: OrganisationId,
    { by, value }: { readonly by: "id" | "organisationId"; readonly value: string },
    rule: (found: ReadonlyArray<Stored<IdempotencyClaimRecord>>) => {
      readonly answer: A
      readonly writes: ReadonlyArray<Write>
    }
  ) =>
    Effect.flatMap(DateTime.now, (at) =>
      deciding.create(
        {
          operation: `IdempotencyStore.${method}`,
          organisationId,
          finds: [{ kind: idempotencyClaimKind, by, values: [value] }],
          rule: (found: Found): Result.Result<Decision<A>> => {
            const all = found.all(idempotencyClaimKind, by, value)
            const { answer, writes } = rule(all)
            if (writes.length === 0) return Result.succeed({ answer, change: null })
            const written = new Set(writes.map(({ id }) => id))
            const mayChange = all.flatMap(({ record: { id } }) => (written.has(id) ? [] : [id]))
            const change = { writes, events: [], origin: originWithoutEvents(at), at, mayChange }
            return Result.succeed({ answer, change })
          }
        },
        null
      )
    )

  return {
    claim: (organisationId, key, request) =>
      decide("claim", organisationId, { by: "id", value: idOf(key) }, ([before = null]) =>
        claimKey(before, organisationId, key, request)
      ),
    end: (organisationId, key, attempt) =>
      decide("end", organisationId, { by: "id", value: idOf(key) }, ([before = null]) => ({
        answer: undefined,
        writes: endClaim(before, attempt)
      })),
    purge: (organisationId, purge) =>
      decide("purge", organisationId, { by: "organisationId", value: organisationId }, (all) => purgeClaims(all, purge))
  }
})
