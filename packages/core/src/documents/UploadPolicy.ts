/**
 * What may be uploaded, and how long addresses hold (specification, section 5).
 *
 * @since 0.1.0
 */
import { Context, Duration, Schema } from "effect"
import type { DocumentPurpose } from "./Document.ts"

/**
 * Sizes in bytes.
 *
 * @category models
 * @since 0.1.0
 */
export interface UploadPolicySettings {
  readonly maximumFileBytes: number
  readonly maximumCoverBytes: number
  /** How long a pending document is waited for after its address has lapsed. */
  readonly grace: Duration.Duration
}

/**
 * The settings in force: 100 MiB, cover images 20 MiB, 15 minutes of grace
 * unless a host says otherwise.
 *
 * @category services
 * @since 0.1.0
 */
export const UploadPolicy = Context.Reference<UploadPolicySettings>("@solar-sites/core/UploadPolicy", {
  defaultValue: () => ({
    maximumFileBytes: 100 * 1_024 * 1_024,
    maximumCoverBytes: 20 * 1_024 * 1_024,
    grace: Duration.minutes(15)
  })
})

/**
 * How long an upload address holds (given).
 *
 * @category models
 * @since 0.1.0
 */
export const uploadAddressLife = Duration.seconds(60)

/**
 * How long a download address holds.
 *
 * @category models
 * @since 0.1.0
 */
export const downloadAddressLife = Duration.minutes(5)

/**
 * Why a single file is refused while the others of its request are not.
 *
 * @category models
 * @since 0.1.0
 */
export const FileRefusal = Schema.Struct({
  code: Schema.Literals(["invalid_filename", "mime_type_not_allowed", "file_too_large", "storage_unavailable"]),
  detail: Schema.String
})
export type FileRefusal = typeof FileRefusal.Type

const coverTypes = new Set(["image/jpeg", "image/png", "image/webp"])

// What a browser would run when it is shown, and what an operating system would.
const runnable = new Set([
  "text/html",
  "application/xhtml+xml",
  "image/svg+xml",
  "image/svg",
  "application/wasm",
  "application/x-sh",
  "application/x-csh",
  "application/x-shellscript",
  "text/x-shellscript",
  "application/x-bat",
  "application/x-msdos-program",
  "application/x-msdownload",
  "application/x-msi",
  "application/x-dosexec",
  "application/x-executable",
  "application/x-elf",
  "application/x-mach-binary",
  "application/vnd.microsoft.portable-executable",
  "application/vnd.android.package-archive",
  "application/x-apple-diskimage",
  "application/java-archive",
  "application/x-java-archive",
  "application/x-java-applet",
  "application/x-shockwave-flash",
  "application/hta",
  "application/x-powershell",
  "application/x-httpd-php"
])

// JavaScript under all the names that it has had, and VBScript.
const script = /^(text|application)\/(x-)?(java|ecma|j|live|vb)script[0-9.]*$/

const oneOf = (...names: ReadonlyArray<string>): RegExp =>
  new RegExp(`^(text|application|message)/(x-)?(${names.join("|")})$`)

// Scripts of interpreters and shells.
const interpreted = oneOf(
  "python|python-code|python-bytecode|bytecode\\.python|perl|ruby|php|tcl|lua|awk",
  "bash|sh|zsh|csh|ksh|fish|powershell|bat"
)

// An operating system opens a shortcut by running what it names.
const shortcut = oneOf(
  "ms-shortcut|ms-lnk|lnk|winlnk|url|uri-shortcut|mswinurl|internet-shortcut|mswebsite|webloc",
  "desktop|desktop-entry|ms-application|ms-installer|scriptlet|ms-xbap|java-jnlp-file"
)

const isRunnable = (mimeType: string): boolean =>
  runnable.has(mimeType) || [script, interpreted, shortcut].some((pattern) => pattern.test(mimeType))

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const mediaType = new RegExp(`^\\s*(${token})/(${token})\\s*(;.*)?$`)

/**
 * A media type as it is stored: `type/subtype` in lower case without
 * parameters; what has not this form is read as `application/octet-stream`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const readMimeType = (sent: string): string => {
  const [, type, subtype] = mediaType.exec(sent) ?? []
  return type === undefined || subtype === undefined ? "application/octet-stream" : `${type}/${subtype}`.toLowerCase()
}

const isFilename = (name: string): boolean =>
  name.isWellFormed() &&
  !/[\p{Cc}/\\]/u.test(name) &&
  name !== "" &&
  name !== "." &&
  name !== ".." &&
  new TextEncoder().encode(name).byteLength <= 255

/**
 * The most a file of this purpose may hold, in bytes.
 *
 * @category policy
 * @since 0.1.0
 */
export const maximumBytes = (policy: UploadPolicySettings, purpose: DocumentPurpose): number =>
  purpose === "coverImage" ? policy.maximumCoverBytes : policy.maximumFileBytes

/**
 * Judges one file of an upload request; `undefined`: it may come.
 *
 * @category policy
 * @since 0.1.0
 */
export const refusalOf = (
  policy: UploadPolicySettings,
  purpose: DocumentPurpose,
  file: { readonly filename: string; readonly mimeType: string; readonly sizeBytes: number | null }
): FileRefusal | undefined => {
  if (!isFilename(file.filename)) {
    return {
      code: "invalid_filename",
      detail: "must have 1 to 255 bytes, no path separators and no control characters, and not be . or .."
    }
  }
  const allowed = purpose === "coverImage" ? coverTypes.has(file.mimeType) : !isRunnable(file.mimeType)
  if (!allowed) {
    return {
      code: "mime_type_not_allowed",
      detail:
        purpose === "coverImage"
          ? "a cover image must be image/jpeg, image/png or image/webp"
          : "files that a browser or an operating system would run are not accepted"
    }
  }
  const maximum = maximumBytes(policy, purpose)
  if (file.sizeBytes !== null && file.sizeBytes > maximum) {
    return { code: "file_too_large", detail: `must have at most ${maximum} bytes` }
  }
  return undefined
}
