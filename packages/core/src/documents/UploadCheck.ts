/**
 * Checks of an upload request, file by file.
 */

import { type DateTime, Effect, Option } from "effect"
import type { Caller } from "../caller/Caller.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { SiteId } from "../sites/Site.ts"
import { storageKey } from "../storage/StorageKey.ts"
import { Document, DocumentId, type DocumentPurpose, OmRecordId } from "./Document.ts"
import type { DocumentCommands } from "./DocumentCommands.ts"
import { readMimeType, refusalOfFile } from "./FilePolicy.ts"
import type { FileRefusal } from "./UploadPolicy.ts"
import type { IssueHostUploads, UploadFile } from "./UploadRequest.ts"
import { canReceiveFile, type VerificationPorts } from "./UploadVerification.ts"

const lookUpsAtOnce = 4

/** A checked file: its document, or its refusal. */
export type CheckedFile =
  | { readonly filename: string; readonly document: Document; readonly refusal?: undefined }
  | { readonly filename: string; readonly document?: undefined; readonly refusal: FileRefusal }

/** O&M record of a request; null for other file types. */
export const omRecordIdOf = (input: IssueHostUploads): OmRecordId | null =>
  input.fileType === "om-documents" ? OmRecordId.make(input.omRecordId) : null

const documentOf = (
  caller: Caller,
  target: { readonly siteId: SiteId; readonly type: DocumentPurpose; readonly omRecordId: OmRecordId | null },
  file: UploadFile,
  created: { readonly id: string; readonly at: DateTime.Utc }
): Document =>
  new Document({
    id: DocumentId.make(created.id),
    organisationId: caller.organisationId,
    siteId: target.siteId,
    type: target.type,
    documentType: file.documentType ?? null,
    filename: file.filename,
    path: storageKey({ organisationId: caller.organisationId, siteId: target.siteId, documentId: created.id }),
    status: "pending",
    mimeType: readMimeType(file.mimeType),
    sizeBytes: file.fileSize ?? null,
    uploadedBy: caller.userId,
    omRecordId: target.omRecordId,
    failureReason: null,
    createdAt: created.at,
    updatedAt: created.at,
    version: 1,
    note: file.note ?? null,
    validFrom: file.validFrom ?? null,
    validUntil: file.validUntil ?? null,
    replaces: file.replaces ?? null,
    replacedBy: null
  })

/** The documents that files of the request are to replace. */
const findPredecessors = (
  commands: DocumentCommands,
  { organisationId }: Caller,
  { files }: IssueHostUploads
): Effect.Effect<ReadonlyMap<DocumentId, Document>, RepositoryError> => {
  const ids = new Set(files.flatMap(({ replaces }) => replaces ?? []))
  const find = (id: DocumentId) => commands.findById(organisationId, id)
  return Effect.map(
    Effect.forEach(ids, find, { concurrency: lookUpsAtOnce }),
    (found) => new Map(found.flatMap(Option.toArray).map((document) => [document.id, document]))
  )
}

const replacementRefusal = (document: Document, predecessor: Document | undefined): FileRefusal | undefined => {
  if (predecessor?.siteId !== document.siteId || predecessor.type !== document.type) {
    return { code: "replaces_not_found", detail: "replaces must be a document of the same site and fileType" }
  }
  // An earlier run of the same request can have made this document the successor.
  if (predecessor.replacedBy !== null && predecessor.replacedBy !== document.id) {
    return { code: "already_replaced", detail: "the document in replaces has been replaced by another one" }
  }
  return canReceiveFile(predecessor)
    ? { code: "replaces_not_uploaded", detail: "the file of the document in replaces has not arrived" }
    : undefined
}

/**
 * Checks the files against the upload policy and the documents that they are to replace. Creates the
 * documents of accepted files, in request order. A file that policy accepts takes an id even when it
 * is refused: the next run of the same request must give all others the same ids.
 */
export const checkFiles = Effect.fnUntraced(function* (
  { commands, policy }: Pick<VerificationPorts, "policy" | "commands">,
  caller: Caller,
  input: IssueHostUploads,
  at: DateTime.Utc,
  nextId: Effect.Effect<string>
): Effect.fn.Return<ReadonlyArray<CheckedFile>, RepositoryError> {
  const target = { siteId: input.siteId, type: input.fileType, omRecordId: omRecordIdOf(input) }
  const predecessors = yield* findPredecessors(commands, caller, input)
  return yield* Effect.forEach(input.files, (file) => {
    const { filename, replaces = null } = file
    const declared = { filename, mimeType: readMimeType(file.mimeType), sizeBytes: file.fileSize ?? null }
    const refusal = refusalOfFile(policy, input.fileType, declared)
    if (refusal !== undefined) return Effect.succeed<CheckedFile>({ filename, refusal })
    return Effect.map(nextId, (id): CheckedFile => {
      const document = documentOf(caller, target, file, { id, at })
      const refusal = replaces === null ? undefined : replacementRefusal(document, predecessors.get(replaces))
      return refusal === undefined ? { filename, document } : { filename, refusal }
    })
  })
})
