/**
 * The ways a document operation can be refused.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { redacted, redactedIds } from "../input/Redaction.ts"
import { DocumentId, OmRecordId } from "./Document.ts"
import { DocumentStatus } from "./DocumentStatus.ts"

/**
 * No such document in the caller's organisation. One that belongs to somebody
 * else is reported in the same way, so that ids cannot be probed.
 *
 * @category errors
 * @since 0.1.0
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

/**
 * The host knows no such O&M record at this site.
 *
 * @category errors
 * @since 0.1.0
 */
export class OmRecordNotFound extends Schema.TaggedError<OmRecordNotFound>("@solar-sites/core/OmRecordNotFound")(
  "OmRecordNotFound",
  { omRecordId: OmRecordId }
) {
  readonly code = "om_record_not_found"

  override get message(): string {
    return `No such O&M record at this site: ${redacted(this.omRecordId)}`
  }
}

/**
 * The document is in a state from which the wished one cannot be reached;
 * `allowed` are those that can.
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidTransition extends Schema.TaggedError<InvalidTransition>("@solar-sites/core/InvalidTransition")(
  "InvalidTransition",
  { from: DocumentStatus, to: DocumentStatus, allowed: Schema.Array(DocumentStatus) }
) {
  readonly code = "invalid_transition"

  override get message(): string {
    return `No document goes from ${this.from} to ${this.to}; allowed: ${this.allowed.join(", ") || "nothing"}`
  }
}

/**
 * As many documents of the organisation are pending as may be. They settle soon
 * after their addresses lapse.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooManyPending extends Schema.TaggedError<TooManyPending>("@solar-sites/core/TooManyPending")(
  "TooManyPending",
  { maximum: Schema.Int }
) {
  readonly code = "too_many_pending"

  override get message(): string {
    return `An organisation has at most ${this.maximum} pending documents; send files or wait until addresses have lapsed`
  }
}

/**
 * What an earlier upload left at the path of the document must be deleted first.
 * Only between the repository and the rules: callers never see it.
 *
 * @category errors
 * @since 0.1.0
 */
export class FileNotDeleted extends Schema.TaggedError<FileNotDeleted>("@solar-sites/core/FileNotDeleted")(
  "FileNotDeleted",
  {}
) {
  override get message(): string {
    return "What an earlier upload left at the path is not deleted yet"
  }
}

/**
 * Nothing has arrived in storage yet.
 *
 * @category errors
 * @since 0.1.0
 */
export class UploadNotFound extends Schema.TaggedError<UploadNotFound>("@solar-sites/core/UploadNotFound")(
  "UploadNotFound",
  { documentId: DocumentId }
) {
  readonly code = "upload_not_found"

  override get message(): string {
    return `Nothing has arrived for the document ${redactedIds(this.documentId)}`
  }
}

/**
 * What arrived contradicts its declaration; the reason says in what.
 *
 * @category errors
 * @since 0.1.0
 */
export class UploadMismatch extends Schema.TaggedError<UploadMismatch>("@solar-sites/core/UploadMismatch")(
  "UploadMismatch",
  { documentId: DocumentId, reason: Schema.String }
) {
  readonly code = "upload_mismatch"

  override get message(): string {
    return `What arrived for the document ${redactedIds(this.documentId)} contradicts its declaration: ${redacted(this.reason)}`
  }
}
