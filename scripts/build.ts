/**
 * Builds every package and application: JavaScript by tsup, then declarations by
 * tsc, and prints what each came to.
 */
import { globSync, readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { projects, run } from "./run.ts"

const failed = projects.filter((project) => !run("tsup", [], { cwd: project })).map((project) => `${project}: tsup`)
if (!run("tsc", ["-b", ...projects])) failed.push("tsc")

const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} kB`.padStart(9)

for (const project of projects) {
  const files = globSync(`${project}/dist/**/*.js`).map((path) => readFileSync(path))
  const size = files.reduce((sum, file) => sum + file.length, 0)
  const zipped = files.reduce((sum, file) => sum + gzipSync(file).length, 0)
  console.log(`${project.padEnd(28)}${kilobytes(size)}${kilobytes(zipped)} gzipped`)
}

if (failed.length > 0) {
  console.error(`build failed: ${failed.join(", ")}`)
  process.exitCode = 1
}
