/**
 * Packs every public package and checks the tarball: its exports, and that its types resolve.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { packInto, run } from "./run.ts"

const quiet = true

const judge = (tarball: string): boolean => {
  const publishable = run("publint", ["run", "--strict", tarball], { quiet })
  const typed = run("attw", ["--profile", "esm-only", "--no-emoji", "--no-summary", tarball], { quiet })
  return publishable && typed
}

const folder = mkdtempSync(join(tmpdir(), "solar-sites-packed-"))
try {
  const tarballs = packInto(folder)
  const failed = [...tarballs].filter(([, tarball]) => !judge(tarball)).map(([project]) => project)
  if (failed.length > 0) {
    console.error(`not fit for publication: ${failed.join(", ")}`)
    process.exitCode = 1
  } else console.log(`${tarballs.size} packages are fit for publication`)
} finally {
  rmSync(folder, { recursive: true })
}
