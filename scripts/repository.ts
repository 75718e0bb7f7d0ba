/**
 * Files of the repository, and how a check reports its faults.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"

/** Path from the root of the repository, with slashes, to text. */
export type Files = ReadonlyMap<string, string>

/** Every file that git tracks or would add. */
export const readRepository = (): Files => {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8"
  })
  const paths = listed.split("\0").filter((path) => path !== "" && existsSync(path))
  return new Map(paths.map((path) => [path, readFileSync(path, "utf8")]))
}

/** Prints one sentence per fault; true when there is none. */
export const areWhole = (faultsOf: (files: Files) => ReadonlyArray<string>, files: Files): boolean => {
  const faults = faultsOf(files)
  for (const fault of faults) console.error(fault)
  console.log(`${files.size} files, ${faults.length} faults`)
  return faults.length === 0
}

/** As a program: it fails when there is a fault. */
export const report = (faultsOf: (files: Files) => ReadonlyArray<string>): void => {
  process.exitCode = areWhole(faultsOf, readRepository()) ? 0 : 1
}
