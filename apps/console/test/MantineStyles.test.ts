import { readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { describe, expect, it } from "vitest"

const project = join(import.meta.dirname, "..")
const mantine = join(project, "node_modules/@mantine")
const index = join(mantine, "core/esm/index.mjs")

const text = (path: string): string => readFileSync(path, "utf8")
const filesIn = (folder: string, form: RegExp): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => form.test(name))
    .map((name) => join(folder, name))

const namesIn = (list: string): ReadonlyArray<string> =>
  list
    .split(",")
    .map((name) => name.trim().replace(/ as .*/, ""))
    .filter((name) => name !== "" && !name.startsWith("type "))

/** Modules of what is imported from the index of the core package. */
const importedModules = (): ReadonlyArray<string> => {
  const modules = new Map<string, string>()
  for (const [, names = "", path = ""] of text(index).matchAll(/(?:import|export) \{([^}]*)\} from "(\.[^"]+)"/g)) {
    for (const name of namesIn(names)) modules.set(name, resolve(dirname(index), path))
  }
  const sources = [
    ...filesIn(join(project, "src"), /\.tsx?$/),
    ...filesIn(join(mantine, "notifications/esm"), /\.mjs$/)
  ]
  const lists = sources.flatMap((path) =>
    [...text(path).matchAll(/import \{([^}]*)\} from "@mantine\/core"/g)].map(([, list = ""]) => list)
  )
  // Some exports are of other packages, without styles.
  return [...new Set(lists.flatMap(namesIn))].flatMap((name) => modules.get(name) ?? [])
}

/** Names of the style sheets that these modules and their imports use. */
const usedStyles = (modules: ReadonlyArray<string>): ReadonlySet<string> => {
  const reached = new Set(modules)
  // Grows during the iteration.
  for (const path of reached) {
    for (const [, imported = ""] of text(path).matchAll(/from "(\.[^"]+)"/g)) {
      reached.add(resolve(dirname(path), imported))
    }
  }
  return new Set(
    [...reached].filter((path) => path.endsWith(".module.mjs")).map((path) => basename(path, ".module.mjs"))
  )
}

describe("the styles of Mantine", () => {
  it("are those of the components in use, in Mantine's order", () => {
    const all = text(join(mantine, "core/styles.css"))
    const ordered = filesIn(join(mantine, "core/styles"), /^[^.]+\.css$/)
      .map((path) => ({ name: basename(path, ".css"), place: all.indexOf(text(path).trim()) }))
      .toSorted((a, b) => a.place - b.place)
    const used = usedStyles(importedModules())
    const globals = ["baseline", "default-css-variables", "global"]
    const list = text(join(project, "src/shell/mantine.css"))
    const imported = [...list.matchAll(/@import "@mantine\/core\/styles\/(.+)\.css"/g)].map(([, name]) => name)
    expect(imported).toEqual(ordered.map(({ name }) => name).filter((name) => globals.includes(name) || used.has(name)))
  })
})
