/**
 * Actions of the tests of access.
 */
import { createHmac } from "node:crypto"
import type { Page } from "playwright-core"

/** Path and hash of a link. */
export const pathOf = (link: string): string => {
  const { hash, pathname } = new URL(link)
  return `${pathname}${hash}`
}

const bytesOf = (base32: string): Buffer => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
  const bits = [...base32].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("")
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Code of an authenticator app (RFC 6238), `ahead` steps of 30 s from now. */
export const codeOf = (key: string, ahead: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead))
  const mac = createHmac("sha1", bytesOf(key.replaceAll(" ", "")))
    .update(counter)
    .digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0x0f) & 0x7f_ff_ff_ff
  return String(number % 1_000_000).padStart(6, "0")
}

/** Enters the key and the first code in the form of a set-up, and returns the key. */
export const setUpFactor = async (page: Page, password: string): Promise<string> => {
  await page.getByLabel("Current password").fill(password)
  await page.getByRole("button", { name: "Continue" }).click()
  const key = (await page.locator("code").textContent()) ?? ""
  await page.getByLabel("Code", { exact: true }).fill(codeOf(key, 0))
  await page.getByRole("button", { name: "Switch on" }).click()
  return key
}
