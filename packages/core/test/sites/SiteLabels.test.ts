import { CreateSite } from "@solar-sites/core"
import { Result, SchemaParser } from "effect"
import { describe, expect, it } from "vitest"
import { faultsOf } from "../../src/input/ValidationFailed.ts"

const decode = SchemaParser.decodeUnknownResult(CreateSite, { errors: "all" })
const faultsFor = (attributes: unknown) => {
  const decoded = decode({ siteName: "A", capacity: 1, unit: "kW", attributes })
  return Result.isFailure(decoded) ? faultsOf(decoded.failure).map(({ code, pointer }) => `${pointer} ${code}`) : []
}

describe("attributes", () => {
  it("are counted before names and values are read", () => {
    let reads = 0
    const read = { enumerable: true, get: () => ++reads }
    const members = (count: number) => Array.from({ length: count }, (_, index) => [`${index}`, read] as const)
    const withMembers = (count: number) => Object.defineProperties({}, Object.fromEntries(members(count)))
    expect(faultsFor(withMembers(51))).toEqual(["/attributes too_many"])
    expect(reads).toBe(0)
    expect(faultsFor(withMembers(50))).toEqual([])
  })

  it("are an object", () => {
    for (const attributes of ["x".repeat(51), Array.from({ length: 51 }, () => 1), 1]) {
      expect(faultsFor(attributes)).toEqual(["/attributes invalid_type"])
    }
  })
})
