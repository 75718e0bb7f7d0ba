/**
 * Codes of a second factor: those of an authenticator app (RFC 6238), and recovery codes.
 */
import { createHmac } from "node:crypto"
import { about, emit, type Origin } from "../Call.ts"
import type { Instant } from "../Match.ts"
import type { Factor, User } from "../PeopleState.ts"

const stepMillis = 30_000
const longest = 100
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

export const stepAt = (now: number): number => Math.floor(now / stepMillis)

const bytesOf = (secret: string): Buffer => {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("")
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

export const codeOf = (secret: string, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeUInt32BE(step, 4)
  const mac = createHmac("sha1", bytesOf(secret)).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) % 16) % 2 ** 31
  return String(number % 1_000_000).padStart(6, "0")
}

/** The half minute of a code: that of now or a neighbour, since clocks differ. */
export const matchingStep = (secret: string, code: string, now: number): number | undefined => {
  const step = stepAt(now)
  return [step + 1, step, step - 1].find((one) => codeOf(secret, one) === code.replaceAll(" ", "").trim())
}

const plain = (code: string): string => code.replaceAll(/[\s-]/g, "").toLowerCase()

const isNumber = (code: string): boolean => /^\d{6}$/.test(code.replaceAll(" ", "").trim())

/** Uses the code up; false for a wrong or used one. */
export const useCode = (origin: Origin, user: User, factor: Factor, code: string): boolean => {
  if (code.length > longest) return false
  if (isNumber(code)) {
    const step = matchingStep(factor.secret, code, origin.at["@from"])
    if (step === undefined || step <= factor.lastStep) return false
    factor.lastStep = step
    return true
  }
  const { length } = factor.codes
  factor.codes = factor.codes.filter((one) => plain(one) !== plain(code))
  if (factor.codes.length === length) return false
  emit(origin, "user.updated", about("user", user), null, { recoveryCodesLeft: { from: length, to: length - 1 } })
  return true
}

export const isActive = (factor: Factor | null): factor is Factor & { readonly enabledAt: Instant } =>
  factor !== null && factor.enabledAt !== null
