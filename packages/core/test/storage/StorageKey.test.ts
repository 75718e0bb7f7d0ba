import { parseStorageKey, StorageKey, storageKey } from "@solar-sites/core"
import { aSite } from "@solar-sites/testing"
import { Option, Schema } from "effect"
import { expect, it } from "vitest"
import { storageKeyIn } from "../../src/storage/StorageKey.ts"

const { id: siteId, organisationId } = aSite()
const parts = { organisationId, siteId, documentId: aSite().id }

it("a key is made of three ids and comes apart into them", () => {
  for (const { organisationId } of [parts, aSite()]) {
    const key = storageKey({ ...parts, organisationId })
    expect(key).toBe(`${organisationId}/${siteId}/${parts.documentId}`)
    expect(parseStorageKey(key)).toEqual(Option.some({ ...parts, organisationId }))
  }
})

it("nothing else is a key", () => {
  const key = storageKey(parts)
  const wrong = [
    "",
    "/",
    key.toUpperCase(),
    `/${key}`,
    `${key}/`,
    `${key}/..`,
    `../${key}`,
    key.replace("/", "//"),
    key.replace("/", "%2f"),
    `${key}\n`,
    `${organisationId}/${siteId}`
  ]
  for (const path of wrong) expect(parseStorageKey(path), path).toEqual(Option.none())
})

it("a text that is no key is refused with the reason", () => {
  expect(() => Schema.decodeUnknownSync(StorageKey)("a/b/c")).toThrow("must be a storage path")
})

it("a key is found at the end of an address", () => {
  const key = storageKey(parts)
  for (const address of [`https://files.test/${key}`, `https://files.test/bucket/a/${key}?x=1`]) {
    expect(storageKeyIn(address)).toEqual(Option.some(key))
  }
  for (const address of ["", key, `/${key}`, `https://files.test/${key}/a`, "https://files.test"]) {
    expect(storageKeyIn(address), address).toEqual(Option.none())
  }
})
