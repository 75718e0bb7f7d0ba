import { describe, expect, it } from "vitest"
import type { Proof } from "../src/check.ts"
import { help, readOptions } from "../src/options.ts"

const run = () => Promise.resolve("")
const proofs: ReadonlyArray<Proof> = [
  { name: "short", title: "A short one.", targets: ["memory", "postgres"], run },
  { name: "long", title: "A long one.", named: true, run }
]

describe("options of the proofs", () => {
  it("chooses the proofs of the short form, or the named ones", () => {
    const names = (...args: ReadonlyArray<string>) => readOptions(proofs, args)?.proofs.map(({ name }) => name)
    expect(names()).toEqual(["short"])
    expect(names("long", "short")).toEqual(["long", "short"])
    expect(names("--help")).toBeUndefined()
  })

  it("reads seed, path, runs and targets", () => {
    const args = ["short", "--seed", "7", "--path", "1:2", "--runs", "3", "--on", "memory"]
    expect(readOptions(proofs, args)).toMatchObject({ seed: 7, path: "1:2", runs: 3, on: ["memory"], long: false })
    expect(readOptions(proofs, [])?.seed).toBeGreaterThanOrEqual(0)
  })

  it("reads the time limit of a proof, which is longer in the long form", () => {
    expect(readOptions(proofs, ["short", "--minutes", "3"])).toMatchObject({ minutes: 3 })
    expect(readOptions(proofs, [])).toMatchObject({ minutes: 15 })
    expect(readOptions(proofs, ["long", "--long"])).toMatchObject({ minutes: 1_440 })
  })

  it.each([
    [["none"], "There is no proof none"],
    [["short", "--on", "oracle"], "has no target oracle"],
    [["long", "--on", "memory"], "has no target memory"],
    [["--long"], "--long needs the names of proofs"],
    [["--seed", "x"], "--seed must be a whole number"],
    [["--runs", "-1.5"], "--runs"]
  ])("refuses %j", (args, message) => {
    expect(() => readOptions(proofs, args)).toThrow(message)
  })

  it("lists the proofs in the help", () => {
    expect(help(proofs)).toContain("long *")
    expect(help(proofs)).toContain("--on memory,postgres")
  })
})
