/** Probe of a storage, for readiness. */
import { type DocumentStorage, OrganisationId, type StorageError } from "@solar-sites/core"
import { Effect } from "effect"

// The nil UUID belongs to no organisation: real ids are UUIDs of version 7.
const noOrganisation = OrganisationId.make("00000000-0000-0000-0000-000000000000")

/** Lists the files of no organisation. Unlike inspecting an object, it fails without the bucket. */
export const probe = (storage: DocumentStorage["Service"]): Effect.Effect<void, StorageError> =>
  Effect.asVoid(storage.list(noOrganisation, { after: null, limit: 1 }))
