/**
 * Claims of pending documents and of files to delete over any store of records, for adapters without statements
 * of their own.
 */
import { DateTime, Effect, Result } from "effect"
import { originWithoutEvents } from "../events/EventOrigin.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { type Decision, makeDeciding } from "../records/Deciding.ts"
import type { Found } from "../records/Found.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import type { Find, Stored } from "../records/RecordKind.ts"
import { Records } from "../records/Records.ts"
import { type StorageKey, storageKey } from "../storage/StorageKey.ts"
import { documentKind, documentOf, FileRecord, fileKind, withMembers } from "./DocumentKind.ts"
import type { Claim, DocumentMaintenance, PendingDocument } from "./DocumentMaintenance.ts"

type Service = DocumentMaintenance["Service"]

/** The first due items, the longest due first. One without an instant is due at once. */
const longestDue = <R>(
  all: ReadonlyArray<Stored<R>>,
  dueAt: (record: R) => DateTime.Utc | null,
  { limit, now }: Claim
): ReadonlyArray<Stored<R>> => {
  const millis = ({ record }: Stored<R>) => dueAt(record)?.epochMilliseconds ?? 0
  const due = all.filter((one) => millis(one) <= now.epochMilliseconds)
  return due.sort((a, b) => millis(a) - millis(b)).slice(0, limit)
}

/** The parts of a change that has no events. */
const silent = (at: DateTime.Utc) => ({ events: [], origin: originWithoutEvents(at), at })

/** The ids of records that are not written. Claims of some do not depend on the others. */
const othersOf = (
  all: ReadonlyArray<Stored<{ readonly id: string }>>,
  writes: ReadonlyArray<{ readonly id: string }>
) => {
  const written = new Set(writes.map(({ id }) => id))
  return all.flatMap(({ record: { id } }) => (written.has(id) ? [] : [id]))
}

/** Claims pending documents. */
export const claimPending =
  (claim: Claim) =>
  (found: Found): Result.Result<Decision<ReadonlyArray<PendingDocument>>> => {
    const pending = found.all(documentKind, "status", "pending")
    const due = longestDue(pending, ({ addressExpiresAt, lookAt }) => lookAt ?? addressExpiresAt, claim)
    const writes = due.map((before) => {
      const after = withMembers(before.record, { lookAt: claim.dueAgainAt })
      return { kind: documentKind, id: after.id, before, after }
    })
    return Result.succeed({
      answer: due.map(({ record }) => ({ document: documentOf(record), addressExpiresAt: record.addressExpiresAt })),
      change: writes.length === 0 ? null : { ...silent(claim.now), writes, mayChange: othersOf(pending, writes) }
    })
  }

const keyOf = ({ id, organisationId, siteId }: FileRecord) => storageKey({ organisationId, siteId, documentId: id })

/** Claims files that are listed for deletion. */
export const claimDeleted =
  (organisationId: OrganisationId, claim: Claim) =>
  (found: Found): Result.Result<Decision<ReadonlyArray<StorageKey>>> => {
    const { dueAgainAt, now } = claim
    const files = found.all(fileKind, "organisationId", organisationId)
    const free = files.filter(
      ({ record: { claimedUntil } }) => claimedUntil === null || DateTime.isLessThanOrEqualTo(claimedUntil, now)
    )
    const due = longestDue(free, ({ dueAt }) => dueAt, claim)
    const writes = due.map((before) => {
      const after = makeUnchecked(FileRecord, { ...before.record, dueAt: dueAgainAt, claimedUntil: dueAgainAt })
      return { kind: fileKind, id: after.id, before, after }
    })
    return Result.succeed({
      answer: due.map(({ record }) => keyOf(record)),
      change: writes.length === 0 ? null : { ...silent(now), writes, mayChange: othersOf(files, writes) }
    })
  }

/** Forgets deleted files of a claim, unless an upload to them can still run. */
export const forgetDeleted =
  (keys: ReadonlyArray<StorageKey>, { claimedUntil, now, uploadsEndAfter }: Parameters<Service["forgetDeleted"]>[2]) =>
  (found: Found): Result.Result<Decision<void>> => {
    const files = keys.flatMap((key) => found.byId(fileKind, documentIdOf(key)) ?? [])
    const writes = keys.flatMap((key) => {
      const before = found.byId(fileKind, documentIdOf(key))
      if (before === null || keyOf(before.record) !== key) return []
      const file = before.record
      if (file.claimedUntil?.epochMilliseconds !== claimedUntil.epochMilliseconds) return []
      const dueAt = DateTime.addDuration(file.addressExpiresAt, uploadsEndAfter)
      const isOpen = DateTime.isLessThan(now, dueAt)
      const after = isOpen ? makeUnchecked(FileRecord, { ...file, dueAt, claimedUntil: null }) : null
      return [{ kind: fileKind, id: file.id, before, after }]
    })
    const change = { ...silent(now), writes, mayChange: othersOf(files, writes) }
    return Result.succeed({ answer: undefined, change: writes.length === 0 ? null : change })
  }

const documentIdOf = (key: StorageKey): string => key.split("/").at(-1) ?? ""

/** Three methods of `DocumentMaintenance`. */
export const documentClaiming: Effect.Effect<
  Pick<Service, "claimPending" | "claimDeleted" | "forgetDeleted">,
  never,
  Records
> = Effect.gen(function* () {
  const deciding = makeDeciding(yield* Records)
  const decide = <A>(
    method: string,
    organisationId: OrganisationId,
    finds: ReadonlyArray<Find>,
    rule: (found: Found) => Result.Result<Decision<A>>
  ) => deciding.create({ operation: `DocumentMaintenance.${method}`, organisationId, finds, rule }, null)

  return {
    claimPending: (organisationId, claim) =>
      decide(
        "claimPending",
        organisationId,
        [{ kind: documentKind, by: "status", values: ["pending"] }],
        claimPending(claim)
      ),
    claimDeleted: (organisationId, claim) =>
      decide(
        "claimDeleted",
        organisationId,
        [{ kind: fileKind, by: "organisationId", values: [organisationId] }],
        claimDeleted(organisationId, claim)
      ),
    forgetDeleted: (organisationId, keys, options) =>
      decide(
        "forgetDeleted",
        organisationId,
        [{ kind: fileKind, by: "id", values: keys.map(documentIdOf) }],
        forgetDeleted(keys, options)
      )
  }
})
