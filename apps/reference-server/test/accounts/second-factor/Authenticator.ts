/** An authenticator app: codes of a secret in base32. */
import { codeOf, stepAt } from "../../../src/accounts/second-factor/Totp.ts"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

const decode = (secret: string): Uint8Array => {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("")
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

/** `ahead` is a number of steps after the instant, in milliseconds. */
export const authenticator =
  (secret: string) =>
  (now: number, ahead = 0): string =>
    codeOf(decode(secret), stepAt(now) + ahead)
