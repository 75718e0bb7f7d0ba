/**
 * All checks except the tests of the product. A failed step does not stop the others. Arguments are
 * passed to the tests of the repository.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as boundaries from "./boundaries.ts"
import * as circles from "./circles.ts"
import * as comments from "./comments.ts"
import * as regularExpressions from "./regularExpressions.ts"
import { areWhole, type Files, readRepository } from "./repository.ts"
import { run } from "./run.ts"

// The tests of the repository install what a step before them has built and packed.
const tarballs = mkdtempSync(join(tmpdir(), "solar-sites-tarballs-"))
process.once("exit", () => rmSync(tarballs, { recursive: true, force: true }))
process.env["SOLAR_SITES_TARBALLS"] = tarballs

// A type check in one thread reads the types of Effect once per project, and not in each of four checkers. Fewer
// collections of its garbage save a fifth more.
process.env["GOGC"] ??= "400"

// `test:repository` installs the packages of the benchmarks once more.
const repository = ["docs", "scripts", "benchmarks", "proof"].map((project) => `--project=${project}`)

type Step = readonly [name: string, succeeds: () => boolean]

const program = (name: string, command: string, ...args: ReadonlyArray<string>): Step => [
  name,
  () => run(command, args)
]

const files = readRepository()

/** A check of this process: it reads files and parses their imports once. */
const ofFiles = (name: string, faultsOf: (files: Files) => ReadonlyArray<string>): Step => [
  name,
  () => areWhole(faultsOf, files)
]

const steps: ReadonlyArray<Step> = [
  // Terminal colours are unreadable in a log.
  program("format and lint", "biome", "ci", "--error-on-warnings", ...(process.stdout.isTTY ? [] : ["--colors=off"])),
  ofFiles("imports and files", boundaries.faultsOf),
  ofFiles("circles between files", circles.faultsOf),
  ofFiles("words in comments", comments.faultsOf),
  ofFiles("time of regular expressions", regularExpressions.newFaultsOf),
  program("build", "node", "scripts/build.ts"),
  program("types as published", "node", "scripts/declarations.ts"),
  program("packages of the benchmarks", "npx", "-y", "pnpm@10", "--dir", "benchmarks", "install", "--frozen-lockfile"),
  program("types of sources, tests and tools", "tsc", "-b", "--singleThreaded"),
  program("unused files, exports and dependencies", "knip"),
  program("packages as published", "node", "scripts/packages.ts", tarballs),
  program("tests of the repository", "vitest", "run", ...repository, ...process.argv.slice(2)),
  program("licences of dependencies", "node", "scripts/licences.ts"),
  program("advisories of dependencies", "node", "scripts/audit.ts")
]

/** A check that throws, as at a file that does not parse, fails. */
const succeeds = (step: () => boolean): boolean => {
  try {
    return step()
  } catch (error) {
    console.error(error)
    return false
  }
}

const failed = steps.filter(([name, step]) => {
  console.log(`\n── ${name}`)
  const start = performance.now()
  const succeeded = succeeds(step)
  const seconds = `${((performance.now() - start) / 1_000).toFixed(1)} s`
  if (succeeded) console.log(`── ${seconds}`)
  else console.error(`── failed: ${name}, ${seconds}`)
  return !succeeded
})

console.log(failed.length === 0 ? "\nall checks passed" : `\nchecks failed: ${failed.map(([name]) => name).join("; ")}`)
process.exitCode = failed.length === 0 ? 0 : 1
