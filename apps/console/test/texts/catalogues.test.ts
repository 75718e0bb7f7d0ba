import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { languages } from "../../src/texts/languages.ts"

type Function = (...values: ReadonlyArray<unknown>) => unknown

const folder = join(import.meta.dirname, "../../src/texts")
const others = languages.filter((language) => language !== "en")

const modulesOf = (language: string): ReadonlyArray<string> => readdirSync(join(folder, language)).toSorted()

/** Texts and functions of a catalogue by their path, such as `sites.ts/siteTexts/columns/address`. */
const leavesOf = (value: unknown, path: string): ReadonlyArray<readonly [path: string, leaf: unknown]> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${path}/${name}`))
    : [[path, value]]

const catalogueOf = async (language: string): Promise<ReadonlyMap<string, unknown>> => {
  const modules = modulesOf(language).map(async (name) =>
    leavesOf({ ...(await import(join(folder, language, name))) }, name)
  )
  return new Map((await Promise.all(modules)).flat())
}

/** Sentences that need words after their subject in one language alone, and what the server says itself in English. */
const isOwn = /hrases\/.*\/after$|^server\.ts\//

const english = await catalogueOf("en")

/** A value for each type of argument; of two counts, plurals differ. */
const values: ReadonlyArray<unknown> = [
  ...[
    "Ada",
    "/name",
    "2026-11-20T12:00:00.000Z",
    "owner",
    "coverImage",
    "expired",
    "",
    0,
    1,
    2,
    5_000,
    true,
    false,
    null
  ],
  [1.5, 2],
  ["Ada", "Grace"],
  {
    ...{ inviter: "Ada", organisation: "Acme", role: "owner", life: 12, idle: 3, type: "site.created" },
    ...{ maximumFileBytes: 5_000, maximumCoverBytes: 5_000, subject: { name: "Ada" } }
  }
]

const tuplesOf = (length: number): ReadonlyArray<ReadonlyArray<unknown>> =>
  length === 0 ? [[]] : tuplesOf(length - 1).flatMap((tuple) => values.map((value) => [...tuple, value]))

/** Undefined of arguments that the function does not take. */
const textOf = (leaf: unknown, tuple: ReadonlyArray<unknown>): string | undefined => {
  try {
    const result = (leaf as Function)(...tuple)
    const text = typeof result === "object" ? Object.values(result ?? {}).join(" ") : String(result)
    return /undefined|NaN|Invalid Date|\[object|=>/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

it("there is a catalogue of each language", () => {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).toSorted()).toEqual([...languages].toSorted())
})

it("the English functions take one of the tried tuples each", () => {
  const untried = [...english].filter(
    ([, leaf]) =>
      typeof leaf === "function" && tuplesOf(leaf.length).every((tuple) => textOf(leaf, tuple) === undefined)
  )
  expect(untried.map(([path]) => path)).toEqual([])
})

describe.each(others)("the catalogue %s", async (language) => {
  const catalogue = await catalogueOf(language)

  it("has the same texts as the English one", () => {
    const pathsOf = (texts: ReadonlyMap<string, unknown>) => [...texts.keys()].filter((path) => !isOwn.test(path))
    expect(pathsOf(catalogue).toSorted()).toEqual(pathsOf(english).toSorted())
  })

  it("has a text wherever the English one has one, for the same arguments", () => {
    const faults = [...english].flatMap(([path, leaf]) => {
      const translated = catalogue.get(path)
      if (isOwn.test(path)) return []
      if (typeof leaf !== "function") return String(leaf) !== "" && String(translated).trim() === "" ? [path] : []
      const tuples = tuplesOf(leaf.length)
      return tuples
        .filter((tuple) => Boolean(textOf(leaf, tuple)) && !textOf(translated, tuple)?.trim())
        .slice(0, 1)
        .map((tuple) => `${path}(${JSON.stringify(tuple)})`)
    })
    expect(faults).toEqual([])
  })

  it("leaves no sentence in English", () => {
    const same = [...english].filter(([path, leaf]) => / [a-z]/.test(String(leaf)) && leaf === catalogue.get(path))
    expect(same.map(([path]) => path)).toEqual([])
  })
})
