/** Options of the folder, and their check. */
import {
  httpAddressForm,
  isHttpAddress,
  optionCheck,
  type Secret,
  secretText,
  secretValue
} from "@solar-sites/core/options"
import { Effect } from "effect"

export interface FilesystemOptions {
  /** The folder, created if missing. */
  readonly directory: string
  /**
   * Base of addresses, such as `https://solar.example.com`. A function or an effect gives it
   * when an address is signed, for servers that learn it after the layer is built.
   */
  readonly publicUrl: string | (() => string) | Effect.Effect<string>
  /**
   * Signs addresses; at least 32 bytes. Give one when several machines serve the folder and do
   * not share its secret file. Default: a file in the folder, created with mode 600.
   */
  readonly secret?: Secret
  /** Upper limit of every upload. Default: the limit in its address. */
  readonly maximumFileBytes?: number
}

const { names, need } = optionCheck("the file storage")

const known: Readonly<Record<keyof FilesystemOptions, true>> = {
  directory: true,
  publicUrl: true,
  secret: true,
  maximumFileBytes: true
}

// The shortest secret that cannot be guessed has as many bytes as the one in the folder.
const minimumSecretBytes = 32

const checkSecret = (given: unknown): void => {
  if (given === undefined) return
  const text = secretValue(given)
  const isLong = typeof text === "string" && Buffer.byteLength(text) >= minimumSecretBytes
  need(isLong, "secret", `a text of at least ${minimumSecretBytes} bytes, or Redacted`, text)
}

export interface CheckedOptions {
  readonly directory: string
  readonly publicUrl: Effect.Effect<string>
  readonly secret: Buffer | undefined
  readonly maximumFileBytes: number
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, "")

/** The options with their defaults. Throws a `TypeError` that names the first wrong one. */
export const checkOptions = (options: FilesystemOptions): CheckedOptions => {
  names(options, known)
  const { directory, maximumFileBytes = Number.MAX_SAFE_INTEGER, publicUrl, secret } = options
  const isPath = typeof directory === "string" && directory !== ""
  need(isPath, "directory", 'the path of a folder, such as "./data/files"', directory)
  const isLater = typeof publicUrl === "function" || Effect.isEffect(publicUrl)
  need(isLater || isHttpAddress(publicUrl), "publicUrl", httpAddressForm('"https://solar.example.com"'), publicUrl)
  checkSecret(secret)
  const isSize = Number.isSafeInteger(maximumFileBytes) && maximumFileBytes > 0
  need(isSize, "maximumFileBytes", "a whole number of bytes above 0", maximumFileBytes)
  const base =
    typeof publicUrl === "string"
      ? Effect.succeed(publicUrl)
      : Effect.isEffect(publicUrl)
        ? publicUrl
        : Effect.sync(publicUrl)
  return {
    directory,
    publicUrl: Effect.map(base, withoutSlash),
    secret: secret === undefined ? undefined : Buffer.from(secretText(secret), "utf8"),
    maximumFileBytes
  }
}
