/**
 * Checks every import by `boundaries.table.ts`, and further rules for files. As a program it prints
 * one sentence per fault.
 */
import { posix } from "node:path"
import { browserSafe, coreSlices, forbidden, maximumLines, type Zone, zones } from "./boundaries.table.ts"
import { type Files, report } from "./repository.ts"
import { type Import, importsOf, isTypeScript } from "./sources.ts"

interface PackageJson {
  readonly name?: string
  readonly exports?: Readonly<Record<string, unknown>>
}

const scope = "@solar-sites/"
const isRelative = (specifier: string) => specifier.startsWith(".")
const fits = (pattern: string, specifier: string) =>
  pattern.endsWith("*") ? specifier.startsWith(pattern.slice(0, -1)) : specifier === pattern

/** `packages/core` of `packages/core/src/index.ts`; empty outside of the packages. */
const projectOf = (path: string) => /^(?:packages|apps)\/[^/]+(?=\/)/.exec(path)?.[0] ?? ""

/** Entry points of the packages; applications have none. */
const entriesOf = (files: Files): ReadonlySet<string> => {
  const entries = new Set<string>()
  for (const [path, text] of files) {
    if (!/^packages\/[^/]+\/package\.json$/.test(path)) continue
    const { exports = {}, name = "" }: PackageJson = JSON.parse(text)
    for (const entry of Object.keys(exports)) entries.add(posix.join(name, entry))
  }
  return entries
}

const rankOf = (path: string) => {
  const slice = path.slice("packages/core/src/".length).split("/")[0] ?? ""
  return { slice, rank: coreSlices.findIndex((level) => level.includes(slice)) }
}

const sliceFault = (from: string, to: string): string | undefined => {
  const [user, used] = [rankOf(from), rankOf(to)]
  const unknown = [user, used].find(({ rank }) => rank < 0)
  if (unknown !== undefined) return `${unknown.slice} has no place in the order of core's slices`
  if (user.slice === used.slice || used.rank < user.rank) return undefined
  return `within core, ${user.slice} stands before or beside ${used.slice} and may not look at it`
}

const relativeFault = (from: string, to: string, within: Zone["within"]): string | undefined => {
  const project = projectOf(from)
  // Shared configuration of tests and builds lies at the root.
  const isTool = !from.startsWith(`${project}/src/`) && projectOf(to) === ""
  if (project !== projectOf(to) && !isTool) {
    return "a relative import may not cross the border of a package; import the package by its name"
  }
  if (from.startsWith(`${project}/src/`) && !to.startsWith(`${project}/src/`)) return "sources import only sources"
  if (within?.some((folder) => to.startsWith(folder)) === false) return `relative imports stay in ${within.join(", ")}`
  return from.startsWith("packages/core/src/") ? sliceFault(from, to) : undefined
}

const importFault = (from: string, { specifier }: Import, entries: ReadonlySet<string>): string | undefined => {
  const zone = zones.find(({ files }) => files.test(from))
  if (zone === undefined) return "no row of scripts/boundaries.table.ts is for this file"
  if (isRelative(specifier) && zone.across) return undefined
  if (isRelative(specifier)) return relativeFault(from, posix.join(posix.dirname(from), specifier), zone.within)
  if (!zone.may.some((pattern) => fits(pattern, specifier))) return zone.why
  if (!specifier.startsWith(scope) || entries.has(specifier)) return undefined
  return "this is no entry point of a package; applications have none"
}

/** Follows the imports that remain after type stripping. */
const nodeFaults = (entry: string, imports: ReadonlyMap<string, ReadonlyArray<Import>>): Array<string> => {
  const seen = new Set<string>([entry])
  const faults: Array<string> = []
  for (const file of seen) {
    for (const { line, specifier, typeOnly } of imports.get(file) ?? []) {
      if (typeOnly) continue
      if (isRelative(specifier)) seen.add(posix.join(posix.dirname(file), specifier))
      if (specifier.startsWith("node:")) {
        faults.push(`${file}:${line} imports "${specifier}": ${entry} reaches it, and that is loaded in browsers`)
      }
    }
  }
  return faults
}

const textFaults = (path: string, text: string): Array<string> => {
  const lines = text.split("\n")
  const faults = forbidden
    .filter(({ files }) => files.test(path))
    .flatMap((rule) =>
      lines.flatMap((line, index) => {
        const found = rule.text.exec(line)?.[0]
        return found === undefined ? [] : [`${path}:${index + 1} holds "${found.slice(0, 18)}": ${rule.why}`]
      })
    )
  const length = lines.length - (lines.at(-1) === "" ? 1 : 0)
  if (/\.tsx?$/.test(path) && length > maximumLines) {
    faults.push(`${path} has ${length} lines: ${maximumLines} are the most`)
  }
  return faults
}

/** The type checker and editors miss a project that the root does not refer to. */
const projectFaults = (files: Files): Array<string> => {
  const root = files.get("tsconfig.json") ?? ""
  return [...files.keys()]
    .filter((path) => /^(packages|apps)\/[^/]+\/tsconfig[^/]*\.json$/.test(path))
    .filter((path) => !root.includes(`"${path.replace(/\/tsconfig\.json$/, "")}"`))
    .map((path) => `${path}: the root's tsconfig.json does not refer to it`)
}

/** One sentence per fault: where, what, why. */
export const faultsOf = (files: Files): ReadonlyArray<string> => {
  const entries = entriesOf(files)
  const imports = new Map<string, ReadonlyArray<Import>>()
  for (const [path, text] of files) if (isTypeScript(path)) imports.set(path, importsOf(path, text))
  const faults = [...imports].flatMap(([path, ofFile]) =>
    ofFile.flatMap((one) => {
      const why = importFault(path, one, entries)
      return why === undefined ? [] : [`${path}:${one.line} imports "${one.specifier}": ${why}`]
    })
  )
  return [
    ...faults,
    ...projectFaults(files),
    ...browserSafe.flatMap((entry) => nodeFaults(entry, imports)),
    ...[...files].flatMap(([path, text]) => textFaults(path, text))
  ]
}

if (import.meta.main) report(faultsOf)
