/**
 * Packs every public package as it would be published and has the tarball
 * judged: what it exports, and that its types resolve.
 */
import { globSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { publicProjects, run } from "./run.ts"

const quiet = true

const judge = (project: string, folder: string): boolean => {
  if (!run("pnpm", ["pack", "--pack-destination", folder], { cwd: project, quiet })) return false
  const [tarball] = globSync(join(folder, "*.tgz"))
  if (tarball === undefined) return false
  console.log(`${project.padEnd(28)}${(statSync(tarball).size / 1024).toFixed(1).padStart(8)} kB packed`)
  const publishable = run("publint", ["run", "--strict", tarball], { quiet })
  const typed = run("attw", ["--profile", "esm-only", "--no-emoji", "--no-summary", tarball], { quiet })
  return publishable && typed
}

const failed = publicProjects.filter((project) => {
  const folder = mkdtempSync(join(tmpdir(), "solar-sites-"))
  try {
    return !judge(project, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

if (failed.length > 0) {
  console.error(`not fit for publication: ${failed.join(", ")}`)
  process.exitCode = 1
}
