import { beforeAll, expect, it } from "vitest"
import { bundleClient, faultsOf, lineOf, sizeOfClient } from "../../../scripts/sizes.ts"

let bundle: string
beforeAll(async () => {
  bundle = await bundleClient()
})

it("the browser bundle is within the documented size", () => {
  const size = sizeOfClient(bundle)
  console.log(lineOf(size))
  expect(faultsOf([size])).toEqual([])
})

it("the browser bundle has no dependencies: neither modules of Node nor Effect", () => {
  expect(bundle).not.toMatch(/\bimport\b|\brequire\b|node:|\bprocess\b|\bBuffer\b|effect/)
})
