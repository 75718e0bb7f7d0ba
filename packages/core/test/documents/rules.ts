/**
 * What the tests of the rules of documents share: records in every state, and what a rule decides on them.
 */
import { type DocumentRecord, type FileRecord, type Site, storageKey } from "@solar-sites/core"
import { aDocument, aSite } from "@solar-sites/testing"
import { DateTime, Result } from "effect"
import { type DocumentFields, FileRecord as File, unannounced, withMembers } from "../../src/documents/DocumentKind.ts"
import type { DecidedChange, Decision } from "../../src/records/Deciding.ts"
import type { Found } from "../../src/records/Found.ts"
import type { Find, Write } from "../../src/records/RecordKind.ts"
import { at, organisationId, origin } from "../records/deciding.ts"
import { load, storeOf } from "./recordStore.ts"

export { at, organisationId, origin }

/** So many seconds after `at`. */
export const later = (seconds: number): DateTime.Utc => DateTime.add(at, { seconds })

export const site = aSite({ organisationId })

/** A pending document of the site with an address until `later(60)`. */
export const pending = (members: Partial<DocumentFields> = {}): DocumentRecord => {
  const { id, siteId } = { ...aDocument(), siteId: site.id, ...members }
  const document = aDocument({ id, organisationId, siteId })
  const addressExpiresAt = later(60)
  const hidden = { declaredBytes: 1_024, addressExpiresAt, lookAt: addressExpiresAt, refused: false }
  return withMembers({ ...document, ...hidden, replacementRequests: 0, ...unannounced }, members)
}

const state =
  (common: Partial<DocumentFields>) =>
  (members: Partial<DocumentFields> = {}): DocumentRecord =>
    pending({ lookAt: null, ...common, ...members })

export const uploaded = state({ status: "uploaded" })
export const approved = state({ status: "approved" })
export const completed = state({ status: "completed" })
/** Failed without a file. */
export const lapsed = state({ status: "failed", failureReason: "late" })
/** Failed with a file that did not match. */
export const refused = state({ status: "failed", failureReason: "other bytes", refused: true })
/** Failed after it was uploaded. */
export const rejected = state({ status: "failed", failureReason: "blurred", refused: true, declaredBytes: null })

/** The file of a document, listed for deletion and due at once. */
export const listed = (
  { addressExpiresAt, id, siteId }: DocumentRecord,
  members: Partial<Pick<FileRecord, keyof FileRecord>> = {}
): FileRecord => new File({ id, organisationId, siteId, addressExpiresAt, dueAt: null, claimedUntil: null, ...members })

export const pathOf = ({ id, siteId }: Pick<DocumentRecord, "id" | "siteId">) =>
  storageKey({ organisationId, siteId, documentId: id })

/** What a rule finds when these records are stored. */
export const found = (
  finds: ReadonlyArray<Find>,
  documents: ReadonlyArray<DocumentRecord>,
  {
    files = [],
    full = [],
    sites = [site]
  }: {
    readonly files?: ReadonlyArray<FileRecord>
    readonly full?: ReadonlyArray<string>
    readonly sites?: ReadonlyArray<Site>
  } = {}
): Found => load(storeOf({ document: documents, file: files, site: sites }), finds, full)

/** The tag of a refusal, or `decided`. */
export const refusal = (result: Result.Result<unknown, { readonly _tag: string }>): string =>
  Result.isFailure(result) ? result.failure._tag : "decided"

export const decided = <A>(result: Result.Result<Decision<A>, unknown>): Decision<A> => Result.getOrThrow(result)

/** The change of a rule that was not refused and does not leave everything as it is. */
export const changed = (result: Result.Result<Decision<unknown>, unknown>): DecidedChange => {
  const { change } = decided(result)
  if (change === null) throw new Error("nothing was changed")
  return change
}

/** What is written, by kind and id; null for a removed record. */
export const written = ({ writes }: DecidedChange): ReadonlyArray<readonly [string, string, Write["after"]]> =>
  writes.map(({ after, id, kind }) => [kind.name, id, after])

/** Types, subjects and changes of events. */
export const eventsOf = ({ events }: DecidedChange) =>
  events.map(({ changes, subjectId, type }) => [type, subjectId, changes])
