import { parseStorageKey, storageKey } from "@solar-sites/core"
import { aSite } from "@solar-sites/testing"
import { Option } from "effect"
import { expect, it } from "vitest"

const { id: siteId, organisationId } = aSite()
const parts = { organisationId, siteId, documentId: aSite().id }

it("a key is made of three ids and comes apart into them", () => {
  const key = storageKey(parts)
  expect(key).toBe(`${organisationId}/${siteId}/${parts.documentId}`)
  expect(parseStorageKey(key)).toEqual(Option.some(parts))
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
