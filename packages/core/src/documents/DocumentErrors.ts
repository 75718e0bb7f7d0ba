/**
 * The ways a document operation can be refused.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
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
}
