/**
 * Refusals of document operations.
 */
import { Schema } from "effect"
import { redacted, redactedIds } from "../input/Redaction.ts"
import { Fault, ValidationFailed } from "../input/ValidationFailed.ts"
import { DocumentId, OmRecordId } from "./Document.ts"
import { DocumentStatus } from "./DocumentStatus.ts"

/**
 * No such document in the organisation of the caller. A document of another organisation gets the
 * same refusal, so that ids cannot be probed.
 */
export class DocumentNotFound extends Schema.TaggedError<DocumentNotFound>("@solar-sites/core/DocumentNotFound")(
  "DocumentNotFound",
  { documentId: DocumentId }
) {
  readonly code = "document_not_found"

  override get message(): string {
    return `No such document in this organisation: ${redactedIds(this.documentId)}`
  }
}

/** The host has no such O&M record at this site. */
export class OmRecordNotFound extends Schema.TaggedError<OmRecordNotFound>("@solar-sites/core/OmRecordNotFound")(
  "OmRecordNotFound",
  { omRecordId: OmRecordId }
) {
  readonly code = "om_record_not_found"

  override get message(): string {
    return `No such O&M record at this site: ${redacted(this.omRecordId)}`
  }
}

/** The upload policy refuses a new filename. */
export class InvalidFilename extends Schema.TaggedError<InvalidFilename>("@solar-sites/core/InvalidFilename")(
  "InvalidFilename",
  { faults: Schema.NonEmptyArray(Fault) }
) {
  readonly code = "invalid_filename"

  override get message(): string {
    return `The filename ${this.faults[0].detail}`
  }
}

/** The refusal of input with these faults. Faults of filenames alone are `InvalidFilename`. */
export const refusalOf = (faults: ValidationFailed["faults"]): ValidationFailed | InvalidFilename =>
  faults.every(({ code }) => code === "invalid_filename")
    ? new InvalidFilename({ faults })
    : new ValidationFailed({ faults })

/** The status of the document does not allow the requested one; `allowed` are the allowed ones. */
export class InvalidTransition extends Schema.TaggedError<InvalidTransition>("@solar-sites/core/InvalidTransition")(
  "InvalidTransition",
  { from: DocumentStatus, to: DocumentStatus, allowed: Schema.Array(DocumentStatus) }
) {
  readonly code = "invalid_transition"

  override get message(): string {
    return `A document cannot change from ${this.from} to ${this.to}; allowed: ${this.allowed.join(", ") || "nothing"}`
  }
}

/**
 * The organisation has the maximum of pending documents. Their number falls when files arrive and
 * some minutes after addresses expire.
 */
export class TooManyPending extends Schema.TaggedError<TooManyPending>("@solar-sites/core/TooManyPending")(
  "TooManyPending",
  { maximum: Schema.Int }
) {
  readonly code = "too_many_pending"

  override get message(): string {
    return `An organisation has at most ${this.maximum} pending documents; upload their files or wait until their addresses expire`
  }
}

/**
 * A file of an earlier upload must be deleted from the path first. Internal to repository and rule
 * service: callers never get it.
 */
export class FileNotDeleted extends Schema.TaggedError<FileNotDeleted>("@solar-sites/core/FileNotDeleted")(
  "FileNotDeleted",
  {}
) {
  override get message(): string {
    return "The file of an earlier upload is not deleted yet"
  }
}

/** No file has arrived in storage. */
export class UploadNotFound extends Schema.TaggedError<UploadNotFound>("@solar-sites/core/UploadNotFound")(
  "UploadNotFound",
  { documentId: DocumentId }
) {
  readonly code = "upload_not_found"

  override get message(): string {
    return `No file has arrived for the document ${redactedIds(this.documentId)}`
  }
}

/** The stored file does not match its declaration; `reason` names the difference. */
export class UploadMismatch extends Schema.TaggedError<UploadMismatch>("@solar-sites/core/UploadMismatch")(
  "UploadMismatch",
  { documentId: DocumentId, reason: Schema.String }
) {
  readonly code = "upload_mismatch"

  override get message(): string {
    return `The file of the document ${redactedIds(this.documentId)} does not match its declaration: ${redacted(this.reason)}`
  }
}

/**
 * The document that this one was to replace has been replaced by another one meanwhile. This one is
 * failed, and its file is deleted.
 */
export class AlreadyReplaced extends Schema.TaggedError<AlreadyReplaced>("@solar-sites/core/AlreadyReplaced")(
  "AlreadyReplaced",
  { documentId: DocumentId }
) {
  readonly code = "already_replaced"

  override get message(): string {
    return `Another document has replaced the one that ${redactedIds(this.documentId)} was to replace`
  }
}
