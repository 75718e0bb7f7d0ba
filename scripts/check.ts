/**
 * All checks except the tests of the product. A failed step does not stop the others. Arguments are
 * passed to the tests of the repository.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
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

const steps: ReadonlyArray<readonly [name: string, command: string, ...args: ReadonlyArray<string>]> = [
  // Terminal colours are unreadable in a log.
  ["format and lint", "biome", "ci", "--error-on-warnings", ...(process.stdout.isTTY ? [] : ["--colors=off"])],
  ["imports and files", "node", "scripts/boundaries.ts"],
  ["circles between files", "node", "scripts/circles.ts"],
  ["words in comments", "node", "scripts/comments.ts"],
  ["time of regular expressions", "node", "scripts/regularExpressions.ts"],
  ["build", "node", "scripts/build.ts"],
  ["types as published", "node", "scripts/declarations.ts"],
  ["packages of the benchmarks", "npx", "-y", "pnpm@10", "--dir", "benchmarks", "install", "--frozen-lockfile"],
  ["types of sources, tests and tools", "tsc", "-b", "--singleThreaded"],
  ["unused files, exports and dependencies", "knip"],
  ["packages as published", "node", "scripts/packages.ts", tarballs],
  ["tests of the repository", "vitest", "run", ...repository, ...process.argv.slice(2)],
  ["licences of dependencies", "node", "scripts/licences.ts"],
  ["advisories of dependencies", "node", "scripts/audit.ts"]
]

const failed = steps.filter(([name, command, ...args]) => {
  console.log(`\n── ${name}`)
  const succeeded = run(command, args)
  if (!succeeded) console.error(`── failed: ${name}`)
  return !succeeded
})

console.log(failed.length === 0 ? "\nall checks passed" : `\nchecks failed: ${failed.map(([name]) => name).join("; ")}`)
process.exitCode = failed.length === 0 ? 0 : 1
