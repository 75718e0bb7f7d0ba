/**
 * Deletion of files under a claim, so that no deletion removes a later upload to the same path
 * (docs/decisions/0015).
 */
import { DateTime, Duration, Effect, Schedule } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { DocumentStorage } from "../storage/DocumentStorage.ts"
import { StorageError } from "../storage/StorageError.ts"
import type { StorageKey } from "../storage/StorageKey.ts"
import type { DocumentCommands, FileClaims } from "./DocumentCommands.ts"
import { FileNotDeleted } from "./DocumentErrors.ts"

/** Duration of a claim: several times the maximum duration of a deletion. */
export const claimLife = Duration.seconds(30)

const longestDeletion = Duration.seconds(10)

// Another claim of the file ends within milliseconds, unless storage hangs or its process died.
const claimRetry = { schedule: Schedule.spaced("50 millis"), times: 40 }

const isNotDeleted = (error: unknown): error is FileNotDeleted => error instanceof FileNotDeleted

const unavailable = (sentence: string): StorageError =>
  new StorageError({ operation: "DocumentStorage.delete", reason: "unavailable", cause: new Error(sentence) })

/**
 * Deletes claimed files. Fails when the remaining time of the claim does not cover the maximum
 * duration.
 */
export const deleteClaimed = Effect.fnUntraced(function* (
  storage: DocumentStorage["Service"],
  organisationId: OrganisationId,
  keys: ReadonlyArray<StorageKey>,
  claimedUntil: DateTime.Utc
): Effect.fn.Return<void, StorageError> {
  if (keys.length === 0) return
  const begunBefore = DateTime.subtractDuration(claimedUntil, Duration.sum(longestDeletion, longestDeletion))
  if (DateTime.isGreaterThan(yield* DateTime.now, begunBefore)) return yield* unavailable("the claim ends too soon")
  yield* storage.delete(organisationId, keys).pipe(
    Effect.timeoutOrElse({
      duration: longestDeletion,
      orElse: () => Effect.fail(unavailable("no answer within 10 s"))
    })
  )
})

/**
 * Runs `use`. When it fails with `FileNotDeleted`, claims and deletes the files at the keys and
 * runs it again with the claims.
 */
export const retryAfterDeleting = <A, E, R>(
  {
    commands,
    storage
  }: {
    readonly commands: DocumentCommands
    readonly storage: DocumentStorage["Service"]
  },
  organisationId: OrganisationId,
  keys: ReadonlyArray<StorageKey>,
  use: (claims?: FileClaims) => Effect.Effect<A, E | FileNotDeleted, R>
): Effect.Effect<A, E | StorageError | RepositoryError, R> => {
  const deleteAndUse = Effect.gen(function* () {
    const until = DateTime.addDuration(yield* DateTime.now, claimLife)
    const claim = (key: StorageKey) =>
      Effect.flatMap(DateTime.now, (now) => commands.claimFile(organisationId, key, { now, until }))
    const claimed = yield* Effect.filter(keys, (key) =>
      Effect.retry(claim(key), { ...claimRetry, while: isNotDeleted })
    )
    yield* deleteClaimed(storage, organisationId, claimed, until)
    return yield* claimed.length === 0 ? use() : use({ keys: claimed, until })
  })
  return use().pipe(
    Effect.catch((error) => (isNotDeleted(error) ? deleteAndUse : Effect.fail(error))),
    Effect.mapError((error) => (isNotDeleted(error) ? unavailable("another deletion is running") : error))
  )
}
