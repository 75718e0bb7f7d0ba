/**
 * Preparation of an upload request: policy checks, documents and signed addresses.
 */
import { DateTime, Effect } from "effect"
import type { Caller } from "../caller/Caller.ts"
import type { SiteId } from "../sites/Site.ts"
import type { DocumentStorage, SignedUpload, UploadRequest, Validity } from "../storage/DocumentStorage.ts"
import { storageKey } from "../storage/StorageKey.ts"
import { Document, DocumentId, type DocumentPurpose, OmRecordId } from "./Document.ts"
import {
  type FileRefusal,
  maximumBytes,
  readMimeType,
  refusalOf,
  type UploadPolicySettings,
  uploadAddressLife
} from "./UploadPolicy.ts"
import type { IssueHostUploads, UploadAddress, UploadFile } from "./UploadRequest.ts"

/** Validity of an upload address signed at this instant. */
export const validityFrom = (from: DateTime.Utc): Validity => ({
  from,
  until: DateTime.addDuration(from, uploadAddressLife)
})

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
    note: null,
    validFrom: null,
    validUntil: null,
    replaces: null,
    replacedBy: null
  })

/**
 * Checks the files against the upload policy and creates the documents of accepted files, in
 * request order.
 */
export const checkFiles = (
  caller: Caller,
  policy: UploadPolicySettings,
  input: IssueHostUploads,
  at: DateTime.Utc,
  nextId: Effect.Effect<string>
): Effect.Effect<ReadonlyArray<CheckedFile>> => {
  const target = { siteId: input.siteId, type: input.fileType, omRecordId: omRecordIdOf(input) }
  return Effect.forEach(input.files, (file) => {
    const { filename } = file
    const declared = { filename, mimeType: readMimeType(file.mimeType), sizeBytes: file.fileSize ?? null }
    const refusal = refusalOf(policy, input.fileType, declared)
    return refusal === undefined
      ? Effect.map(nextId, (id): CheckedFile => ({ filename, document: documentOf(caller, target, file, { id, at }) }))
      : Effect.succeed<CheckedFile>({ filename, refusal })
  })
}

const requestOf = (policy: UploadPolicySettings, document: Document): UploadRequest => ({
  key: document.path,
  mimeType: document.mimeType,
  sizeBytes: document.sizeBytes,
  maximumBytes: maximumBytes(policy, document.type)
})

/** Signs the addresses of pending documents as one batch, in order. */
export const signUploads = (
  storage: DocumentStorage["Service"],
  policy: UploadPolicySettings,
  caller: Caller,
  documents: ReadonlyArray<Document>,
  validity: Validity
) =>
  documents.length === 0
    ? Effect.succeed<ReadonlyArray<SignedUpload>>([])
    : storage.signUploads(
        caller.organisationId,
        documents.map((document) => requestOf(policy, document)),
        validity
      )

/** The address as returned to callers. */
export const toUploadAddress = (signed: SignedUpload, { until }: Validity): UploadAddress => ({
  path: signed.path,
  token: signed.token,
  url: `${signed.path}?${signed.token}`,
  method: "PUT",
  headers: signed.headers,
  expiresAt: until
})
