import { globSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const read = (path: string) => readFileSync(path, "utf8")
const { version } = JSON.parse(read("node_modules/effect/package.json"))

/** Modules of the root of Effect that a minor version may change. */
const unstable = new Set(
  [...read("node_modules/effect/src/index.ts").matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\s*export \* as (\w+)/gs)].flatMap(
    ([, comment = "", name = ""]) => (/@stability (unstable|experimental)/.test(comment) ? [name] : [])
  )
)

/** Modules without a promise that a source imports: all modules beside the root have none. */
const unstableIn = (source: string): ReadonlyArray<string> => {
  const imports = [...source.matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from "(effect(?:\/[\w/-]+)?)"/g)]
  return imports.flatMap(([, names = "", module = ""]) =>
    module === "effect"
      ? names.split(",").flatMap((name) => name.match(/\w+/g)?.filter((one) => unstable.has(one)) ?? [])
      : [module]
  )
}

const packages = globSync("packages/*/package.json").map((path) => {
  const { devDependencies, name, peerDependencies } = JSON.parse(read(path))
  const sources = globSync(`${path.slice(0, -"/package.json".length)}/src/**/*.ts`)
  return {
    name,
    peer: peerDependencies.effect,
    tested: devDependencies.effect,
    used: sources.flatMap((one) => unstableIn(read(one)))
  }
})

describe("the peer range of effect", () => {
  it("begins with the version that the tests ran with", () => {
    expect(packages).toHaveLength(7)
    for (const { name, peer, tested } of packages) {
      expect([name, tested]).toEqual([name, version])
      expect([name, peer.slice(1)]).toEqual([name, version])
    }
  })

  it("ends before the next minor version for packages that use modules marked unstable", () => {
    expect(unstable).toContain("Arbitrary")
    for (const { name, peer, used } of packages) {
      expect([name, peer.charAt(0), [...new Set(used)]]).toEqual([
        name,
        used.length > 0 ? "~" : "^",
        [...new Set(used)]
      ])
    }
    const narrow = packages.flatMap(({ name, peer }) => (peer.startsWith("~") ? [name] : []))
    expect(narrow.toSorted()).toEqual(
      ["adapter-filesystem", "http-node", "testing"].map((name) => `@solar-sites/${name}`)
    )
  })
})
