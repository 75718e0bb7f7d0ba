import { beforeAll, expect, it } from "vitest"
import { bundleClient, faultsOf, lineOf, sizeOfClient } from "../../../scripts/sizes.ts"

let bundle: string
beforeAll(async () => {
  bundle = await bundleClient()
})

it("the bundle for browsers stays as small as the documentation promises", () => {
  const size = sizeOfClient(bundle)
  console.log(lineOf(size))
  expect(faultsOf([size])).toEqual([])
})

it("the bundle for browsers needs nothing else: no module of Node, no Effect", () => {
  expect(bundle).not.toMatch(/\bimport\b|\brequire\b|node:|\bprocess\b|\bBuffer\b|effect/)
})
