/**
 * Rules of files as pure functions: their list for deletion, claims, and the uploads to their paths
 * (docs/decisions/0015).
 */
import { DateTime, Result } from "effect"
import type { EventOrigin } from "../events/EventOrigin.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { Decision } from "../records/Deciding.ts"
import type { Found } from "../records/Found.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import type { Find, Write } from "../records/RecordKind.ts"
import type { SiteId } from "../sites/Site.ts"
import type { StorageKey } from "../storage/StorageKey.ts"
import type { DocumentId } from "./Document.ts"
import { FileNotDeleted } from "./DocumentErrors.ts"
import { type DocumentRecord, documentKind, FileRecord, fileKind } from "./DocumentKind.ts"

/** Lists the file of a document for deletion, due at once. A claim of the file stays. */
export const listForDeletion = (
  found: Found,
  { addressExpiresAt, id, organisationId, siteId }: DocumentRecord
): ReadonlyArray<Write> => {
  const before = found.byId(fileKind, id)
  const listed = { id, organisationId, siteId, addressExpiresAt, dueAt: null, claimedUntil: null }
  const after =
    before === null
      ? listed
      : {
          ...before.record,
          dueAt: null,
          addressExpiresAt: DateTime.max(before.record.addressExpiresAt, addressExpiresAt)
        }
  return [{ kind: fileKind, id, before, after: makeUnchecked(FileRecord, after) }]
}

/** A claim of the file of a document, to delete it. */
export interface FileClaim {
  readonly organisationId: OrganisationId
  readonly siteId: SiteId
  readonly documentId: DocumentId
  readonly key: StorageKey
  readonly now: DateTime.Utc
  readonly until: DateTime.Utc
}

/** The records that `claimFile` reads. */
export const findsOfClaim = ({ documentId }: FileClaim): ReadonlyArray<Find> => [
  { kind: documentKind, by: "id", values: [documentId] },
  { kind: fileKind, by: "id", values: [documentId] }
]

/** Claims a file that is listed for deletion or was refused. The answer is whether there is such a file. */
export const claimFile =
  ({ documentId: id, key, now, organisationId, siteId, until }: FileClaim, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<boolean>, FileNotDeleted> => {
    const document = found.byId(documentKind, id)?.record
    const refused = document?.refused === true && document.path === key ? document : undefined
    const before = found.byId(fileKind, id)
    const listed = before?.record.siteId === siteId ? before.record : undefined
    const last = listed ?? refused
    if (last === undefined) return Result.succeed({ answer: false, change: null })
    if (listed?.claimedUntil && DateTime.isGreaterThan(listed.claimedUntil, now)) {
      return Result.fail(new FileNotDeleted())
    }
    const { addressExpiresAt } = last
    const after = makeUnchecked(FileRecord, {
      id,
      organisationId,
      siteId,
      addressExpiresAt,
      dueAt: until,
      claimedUntil: until
    })
    const write = { kind: fileKind, id, before, after }
    return Result.succeed({ answer: true, change: { writes: [write], events: [], origin, at: now } })
  }
