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

/** Prints one sentence per fault; the process fails when there is one. */
export const report = (faultsOf: (files: Files) => ReadonlyArray<string>): void => {
  const files = readRepository()
  const faults = faultsOf(files)
  for (const fault of faults) console.error(fault)
  console.log(`${files.size} files, ${faults.length} faults`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
