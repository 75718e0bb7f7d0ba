/**
 * One-time codes by time (RFC 6238): HMAC-SHA-1, 6 digits, steps of 30 s, the defaults of all
 * authenticator apps.
 */
import { createHmac, timingSafeEqual } from "node:crypto"

const digits = 6
const stepMillis = 30_000
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** The length that RFC 4226 recommends for HMAC-SHA-1. */
export const secretBytes = 20

/** Number of the step of an instant in milliseconds. */
export const stepAt = (now: number): number => Math.floor(now / stepMillis)

export const codeOf = (secret: Uint8Array, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac("sha1", secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** digits).padStart(digits, "0")
}

/**
 * The step that a code belongs to: the current one, or a neighbour, because clocks differ. Takes the
 * same time for each; undefined for none, and for text other than 6 digits.
 */
export const matchingStep = (secret: Uint8Array, code: string, now: number): number | undefined => {
  if (!/^\d{6}$/.test(code)) return undefined
  const current = stepAt(now)
  const given = Buffer.from(code)
  const matches = [current - 1, current, current + 1].filter((step) =>
    timingSafeEqual(Buffer.from(codeOf(secret, step)), given)
  )
  return matches.at(-1)
}

/** Base32 (RFC 4648) without padding. */
export const base32 = (bytes: Uint8Array): string => {
  let bits = ""
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0")
  return (bits.match(/.{1,5}/g) ?? []).map((group) => alphabet[Number.parseInt(group.padEnd(5, "0"), 2)]).join("")
}

/** Address that authenticator apps read from a QR code. */
export const keyUri = (
  secret: Uint8Array,
  { account, issuer }: { readonly account: string; readonly issuer: string }
) =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?secret=${base32(secret)}` +
  `&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepMillis / 1_000}`
