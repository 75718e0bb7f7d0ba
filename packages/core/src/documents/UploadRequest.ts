/**
 * Requests for upload addresses and their results (specification, section 5).
 */
import { Schema } from "effect"
import { withFaultsOf } from "../input/AllFaults.ts"
import { boundedArray } from "../input/BoundedArray.ts"
import { opaqueValue } from "../input/OpaqueValue.ts"
import { SiteId } from "../sites/Site.ts"
import { DocumentId, OmRecordId } from "./Document.ts"
import { describingMembers, ValidityInOrder, validityInOrder } from "./DocumentMetadata.ts"
import { maximumUploadFiles } from "./UploadLimit.ts"
import { FileRefusal } from "./UploadPolicy.ts"

const maximumMimeType = 255

/**
 * One file; `fileSize` in bytes. The upload policy checks `filename` and `mimeType` per file. Here
 * only the length of `mimeType` is checked, because it becomes part of the signed address.
 * `replaces` is a document of the same site and `fileType` that this file is to replace.
 */
export const UploadFile = Schema.Struct({
  filename: Schema.String,
  mimeType: Schema.String.check(
    Schema.isMaxCodePoints(maximumMimeType, {
      message: `must have at most ${maximumMimeType} characters`,
      faultCode: "too_long"
    })
  ),
  fileSize: Schema.optionalKey(
    Schema.NullOr(
      Schema.Int.check(
        Schema.isBetween(
          { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
          { message: "must be a whole number of bytes", faultCode: "out_of_range" }
        )
      )
    )
  ),
  ...describingMembers,
  replaces: Schema.optionalKey(Schema.NullOr(DocumentId))
}).check(validityInOrder)
export type UploadFile = typeof UploadFile.Type

const upload = {
  siteId: SiteId,
  files: boundedArray(withFaultsOf(ValidityInOrder, UploadFile), { max: maximumUploadFiles, noun: "file" })
}

const om = Schema.Struct({ ...upload, fileType: Schema.Literal("om-documents"), omRecordId: OmRecordId })

// Input that fits neither struct gets the faults of this one, so its `fileType` message covers
// both.
const other = <const Types extends ReadonlyArray<string>>(types: Types, expected: string) =>
  Schema.Struct({
    ...upload,
    fileType: Schema.Literals(types).annotate({ expected }),
    // Ignored for these types.
    omRecordId: Schema.optionalKey(opaqueValue)
  })

/** Request over HTTP. `omRecordId` is required with `om-documents` and ignored otherwise. */
export const IssueUploads = Schema.Union([
  om,
  other(["documents", "coverImage"], "documents, om-documents or coverImage")
])
export type IssueUploads = typeof IssueUploads.Type

/** Request of host code, which can also upload reports. */
export const IssueHostUploads = Schema.Union([
  om,
  other(["documents", "coverImage", "report"], "documents, om-documents, coverImage or report")
])
export type IssueHostUploads = typeof IssueHostUploads.Type

/**
 * How to upload one file: PUT to `url` (`path` + `?` + `token`) with unchanged `headers`, started
 * before `expiresAt`.
 */
export const UploadAddress = Schema.Struct({
  path: Schema.String,
  token: Schema.String,
  url: Schema.String,
  method: Schema.Literal("PUT"),
  headers: Schema.Record(Schema.String, Schema.String),
  expiresAt: Schema.DateTimeUtcFromString
})
export type UploadAddress = typeof UploadAddress.Type

/** An accepted file. Its document is pending. */
export const IssuedUpload = Schema.Struct({
  filename: Schema.String,
  success: Schema.Literal(true),
  uploadUrl: UploadAddress,
  documentId: DocumentId
})
export type IssuedUpload = typeof IssuedUpload.Type

/**
 * A file refused by the upload policy or because of its `replaces`. It has no document and does not
 * affect the others.
 */
export const RefusedUpload = Schema.Struct({
  index: Schema.Int,
  filename: Schema.String,
  success: Schema.Literal(false),
  error: FileRefusal
})
export type RefusedUpload = typeof RefusedUpload.Type

/** One result per file, in the order of the request. */
export const IssuedUploads = Schema.Struct({
  results: Schema.Array(Schema.Union([IssuedUpload, RefusedUpload])),
  summary: Schema.Struct({ total: Schema.Int, successful: Schema.Int, failed: Schema.Int })
})
export type IssuedUploads = typeof IssuedUploads.Type
