/**
 * The smallest question to a storage that only one in good order answers.
 *
 * @since 0.1.0
 */
import { type DocumentStorage, OrganisationId, type StorageError } from "@solar-sites/core"
import { Effect } from "effect"

// Belongs to nobody: real ones are of version 7.
const nobody = OrganisationId.make("00000000-0000-0000-0000-000000000000")

/**
 * Lists what belongs to nobody. That a bucket is gone shows here, not when
 * looking for a single object.
 *
 * @category operations
 * @since 0.1.0
 */
export const probe = (storage: DocumentStorage["Service"]): Effect.Effect<void, StorageError> =>
  Effect.asVoid(storage.list(nobody, { after: null, limit: 1 }))
