/**
 * Files that are accepted for upload (specification, section 5). Browsers check them with the same
 * functions, so this file imports no module at run time.
 */
import type { DocumentPurpose } from "./Document.ts"

/** Maximum sizes in bytes. */
export interface FileLimits {
  readonly maximumFileBytes: number
  readonly maximumCoverBytes: number
}

/** Refusal of a file before its upload. */
export interface RefusedFile {
  readonly code: "invalid_filename" | "mime_type_not_allowed" | "file_too_large"
  readonly detail: string
}

const coverTypes = new Set(["image/jpeg", "image/png", "image/webp"])

// Types that browsers or operating systems execute or install.
const runnable = new Set([
  "text/html",
  "application/xhtml+xml",
  "image/svg+xml",
  "image/svg",
  "application/wasm",
  "application/hta",
  "application/x-httpd-php",
  "application/x-shockwave-flash",
  "application/vnd.microsoft.portable-executable",
  "application/vnd.android.package-archive",
  "application/vnd.apple.installer+xml",
  "application/vnd.appimage",
  "application/vnd.debian.binary-package",
  "application/vnd.flatpak",
  "application/vnd.snap"
])

const oneOf = (...names: ReadonlyArray<string>): RegExp =>
  new RegExp(`^(text|application|message)/(x-)?(${names.join("|")})$`)

// JavaScript under its historical names, and VBScript.
const script = /^(text|application)\/(x-)?(ms-)?(java|ecma|j|live|vb)script[0-9.]*$/

// Scripts of interpreters and shells.
const interpreted = oneOf(
  "python|python-code|python-bytecode|bytecode\\.python|perl|ruby|php|tcl|lua|awk",
  "bash|sh|zsh|csh|ksh|fish|powershell|shellscript|script\\.sh|shar",
  "bat|batch|cmd|msdos-batch|dos-batch|msdos-script|regedit|ms-regedit"
)

// Operating systems execute the target of a shortcut.
const shortcut = oneOf(
  "ms-shortcut|ms-lnk|lnk|winlnk|url|uri-shortcut|mswinurl|internet-shortcut|mswebsite|webloc",
  "desktop|desktop-entry|ms-application|ms-installer|scriptlet|ms-xbap|java-jnlp-file"
)

// Programs and their packages, under the names that browsers and file tools give them.
const program = oneOf(
  "(ms-)?dosexec|(ms-)?(dos|ne|le|lx)-executable|pef-executable|(pie-)?executable|sharedlib|elf|mach-binary",
  "msdownload|(ms-)?(msdos|dos)-program|msdos-windows|(win-?|dos-)?exe|com|msi|msix|msixbundle|appx|appxbundle",
  "java-archive|java-applet|java-class|java-vm|apple-diskimage|(iso9660-)?appimage",
  "debian-package|deb|rpm|redhat-package-manager|xpinstall|chrome-extension"
)

const isRunnable = (mimeType: string): boolean =>
  runnable.has(mimeType) || [script, interpreted, shortcut, program].some((pattern) => pattern.test(mimeType))

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const mediaType = new RegExp(`^\\s*(${token})/(${token})\\s*(;.*)?$`)

/**
 * Normalises a media type to `type/subtype` in lower case without parameters. Anything else becomes
 * `application/octet-stream`.
 */
export const readMimeType = (sent: string): string => {
  const [, type, subtype] = mediaType.exec(sent) ?? []
  return type === undefined || subtype === undefined ? "application/octet-stream" : `${type}/${subtype}`.toLowerCase()
}

/** True for names that the policy accepts, for uploads and for renaming. */
export const isFilename = (name: string): boolean =>
  name.isWellFormed() &&
  !/[\p{Cc}/\\]/u.test(name) &&
  name !== "" &&
  name !== "." &&
  name !== ".." &&
  new TextEncoder().encode(name).byteLength <= 255

/** Continues "the filename". */
export const filenameRule = "must have 1 to 255 bytes, no path separators and no control characters, and not be . or .."

/** Maximum size of a file of this purpose, in bytes. */
export const maximumBytes = (policy: FileLimits, purpose: DocumentPurpose): number =>
  purpose === "coverImage" ? policy.maximumCoverBytes : policy.maximumFileBytes

/**
 * Checks a file that is to be uploaded for this purpose; `undefined` when it is accepted. `mimeType`
 * is normalised by `readMimeType`.
 */
export const refusalOfFile = (
  policy: FileLimits,
  purpose: DocumentPurpose,
  file: { readonly filename: string; readonly mimeType: string; readonly sizeBytes: number | null }
): RefusedFile | undefined => {
  if (!isFilename(file.filename)) {
    return { code: "invalid_filename", detail: filenameRule }
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
