import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"

/** Everything that a module imports, directly or through others of this repository. */
const importsOf = async (module: URL, seen = new Map<string, ReadonlyArray<string>>()) => {
  if (seen.has(module.href)) return seen
  const source = await readFile(module, "utf8")
  const names = [...source.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from "([^"]+)"|^import "([^"]+)"/gm)].map(
    ([, from, bare]) => from ?? bare ?? ""
  )
  seen.set(module.href, names)
  for (const name of names) {
    if (name.startsWith(".")) await importsOf(new URL(name, module), seen)
    if (name === "@solar-sites/core/model") {
      await importsOf(new URL("../../../core/src/model.ts", import.meta.url), seen)
    }
  }
  return seen
}

it("the contract imports nothing that a browser lacks", async () => {
  const seen = await importsOf(new URL("../../src/contract/index.ts", import.meta.url))
  const outside = [...seen.values()].flat().filter((name) => !name.startsWith("."))
  expect(seen.size).toBeGreaterThan(15)
  expect([...new Set(outside)].sort()).toEqual(["@solar-sites/core/model", "effect", "effect/http-api"])
})
