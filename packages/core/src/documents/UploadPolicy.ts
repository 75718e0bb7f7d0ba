/**
 * Upload policy: sizes and validity of addresses (specification, section 5). `FilePolicy.ts` says
 * which files are accepted.
 */
import { Context, Duration, Schema } from "effect"
import type { FileLimits } from "./FilePolicy.ts"

export interface UploadPolicySettings extends FileLimits {
  /** How long a file is awaited after its address expired. */
  readonly grace: Duration.Duration
}

/** Current settings. Default: 100 MiB, cover images 20 MiB, 15 minutes of grace. */
export const UploadPolicy = Context.Reference<UploadPolicySettings>("@solar-sites/core/UploadPolicy", {
  defaultValue: () => ({
    maximumFileBytes: 100 * 1_024 * 1_024,
    maximumCoverBytes: 20 * 1_024 * 1_024,
    grace: Duration.minutes(15)
  })
})

/** Validity of upload addresses (given). */
export const uploadAddressLife = Duration.seconds(60)

/** Validity of download addresses. */
export const downloadAddressLife = Duration.minutes(5)

/** Refusal of one file of a request. */
export const FileRefusal = Schema.Struct({
  code: Schema.Literals([
    "invalid_filename",
    "mime_type_not_allowed",
    "file_too_large",
    "replaces_not_found",
    "already_replaced",
    "replaces_not_uploaded",
    "storage_unavailable"
  ]),
  detail: Schema.String
})
export type FileRefusal = typeof FileRefusal.Type
