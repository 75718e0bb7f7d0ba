/**
 * Deletes files from storage under a claim, so that no deletion meets a later
 * upload to the same path (docs/decisions/0016).
 *
 * @since 0.1.0
 */
import { DateTime, Duration, Effect, Schedule } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import type { DocumentStorage } from "../storage/DocumentStorage.ts"
import { StorageError } from "../storage/StorageError.ts"
import type { StorageKey } from "../storage/StorageKey.ts"
import { FileNotDeleted } from "./DocumentErrors.ts"
import type { DocumentRepository } from "./DocumentRepository.ts"

/**
 * How long a claim holds: several times as long as a deletion may take.
 *
 * @category deletion
 * @since 0.1.0
 */
export const claimLife = Duration.seconds(30)

const longestDeletion = Duration.seconds(10)

// Another claim of the same file ends within milliseconds, unless storage hangs or its process has died.
const waiting = { schedule: Schedule.spaced("50 millis"), times: 40 }

const isNotDeleted = (error: unknown): error is FileNotDeleted => error instanceof FileNotDeleted

const unavailable = (sentence: string): StorageError =>
  new StorageError({ operation: "DocumentStorage.delete", reason: "unavailable", cause: new Error(sentence) })

/** Deletes claimed files, unless the claim ends before that is certain to be over. */
export const deleteClaimed = Effect.fnUntraced(function* (
  storage: DocumentStorage["Service"],
  organisationId: OrganisationId,
  keys: ReadonlyArray<StorageKey>,
  claimedUntil: DateTime.Utc
): Effect.fn.Return<void, StorageError> {
  if (keys.length === 0) return
  const begunBefore = DateTime.subtractDuration(claimedUntil, Duration.sum(longestDeletion, longestDeletion))
  if (DateTime.isGreaterThan(yield* DateTime.now, begunBefore))
    return yield* unavailable("The claim has (almost) ended.")
  yield* storage.delete(organisationId, keys).pipe(
    Effect.timeoutOrElse({
      duration: longestDeletion,
      orElse: () => Effect.fail(unavailable("The storage did not answer in time."))
    })
  )
})

/**
 * Does what a file at one of the keys may be in the way of. Should it be so,
 * deletes those that are listed for deletion and does it under their claim.
 */
export const retryAfterDeleting = <A, E, R>(
  {
    repository,
    storage
  }: {
    readonly repository: DocumentRepository["Service"]
    readonly storage: DocumentStorage["Service"]
  },
  organisationId: OrganisationId,
  keys: ReadonlyArray<StorageKey>,
  use: (claimedUntil?: DateTime.Utc) => Effect.Effect<A, E | FileNotDeleted, R>
): Effect.Effect<A, E | StorageError | RepositoryError, R> => {
  const deleteAndUse = Effect.gen(function* () {
    const until = DateTime.addDuration(yield* DateTime.now, claimLife)
    const claim = (key: StorageKey) =>
      Effect.flatMap(DateTime.now, (now) => repository.claimFile(organisationId, key, { now, until }))
    const claimed = yield* Effect.filter(keys, (key) => Effect.retry(claim(key), { ...waiting, while: isNotDeleted }))
    yield* deleteClaimed(storage, organisationId, claimed, until)
    return yield* use(until)
  })
  return use().pipe(
    Effect.catch((error) => (isNotDeleted(error) ? deleteAndUse : Effect.fail(error))),
    Effect.mapError((error) => (isNotDeleted(error) ? unavailable("Another deletion is under way.") : error))
  )
}
