import { createHash } from "node:crypto"
import { inspect } from "node:util"
import { crc32 } from "node:zlib"
import { ApiKeySecret, RandomBytes } from "@solar-sites/core"
import { Effect, Option, Redacted, Schema } from "effect"
import { expect, it } from "vitest"

const generate = () => Effect.runSync(ApiKeySecret.generate)
const parses = (text: string) => Option.isSome(ApiKeySecret.parse(Redacted.make(text)))

it("is sk_live_ and 36 bytes in unpadded base64url: 32 random ones and their CRC32", () => {
  const text = Redacted.value(generate())
  expect(text).toMatch(/^sk_live_[A-Za-z0-9_-]{48}$/)
  const bytes = Buffer.from(text.slice(8), "base64url")
  expect(bytes.readUInt32BE(32)).toBe(crc32(bytes.subarray(0, 32)))
})

it("is made of the bytes it is given", () => {
  const bytes = Uint8Array.from({ length: 32 }, (_, index) => index)
  const secret = Effect.runSync(Effect.provideService(ApiKeySecret.generate, RandomBytes, () => bytes))
  expect(Buffer.from(Redacted.value(secret).slice(8), "base64url").subarray(0, 32)).toEqual(Buffer.from(bytes))
})

it("is never the same twice", () => {
  expect(new Set(Array.from({ length: 1_000 }, () => Redacted.value(generate()))).size).toBe(1_000)
})

it("recognises itself, and nothing that differs in one character", () => {
  const text = Redacted.value(generate())
  expect(parses(text)).toBe(true)
  for (let index = 0; index < text.length; index++) {
    const other = text[index] === "A" ? "B" : "A"
    expect(parses(text.slice(0, index) + other + text.slice(index + 1))).toBe(false)
  }
})

it.each(["", "sk_live_", "sk_test_", "x", "sk_live_ "])("does not take %j for a key", (text) => {
  expect(parses(text)).toBe(false)
})

it("does not take a key with anything around it, or another alphabet, for a key", () => {
  const text = Redacted.value(generate())
  for (const wrong of [` ${text}`, `${text} `, `${text}=`, `${text}, ${text}`, text.toUpperCase(), `Bearer ${text}`]) {
    expect(parses(wrong)).toBe(false)
  }
})

it("shows sk_live_ and six characters, and stores the SHA-256 of the whole", () => {
  const secret = generate()
  const text = Redacted.value(secret)
  expect(ApiKeySecret.shownPrefix(secret)).toBe(text.slice(0, 14))
  expect(ApiKeySecret.digest(secret)).toBe(createHash("sha256").update(text).digest("hex"))
})

it("does not print", () => {
  const secret = generate()
  const printed = [
    String(secret),
    JSON.stringify({ secret }),
    inspect(secret, { depth: 9, showHidden: true }),
    `${secret}`
  ]
  for (const text of printed) expect(text).not.toContain(Redacted.value(secret).slice(8))
})

it("is named in logs, and has a digest of 64 hexadecimal characters and no more", () => {
  const secret = generate()
  expect(String(secret)).toBe("<redacted:API key>")
  const digest = ApiKeySecret.digest(secret)
  const isDigest = Schema.is(ApiKeySecret.ApiKeyDigest)
  expect([digest, `0${digest}`, `${digest}0`].map((text) => isDigest(text))).toEqual([true, false, false])
})
