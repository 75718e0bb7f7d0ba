/**
 * Packs every public package and checks the tarball: its exports, and that its types resolve. With a
 * folder as argument the tarballs stay there.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { packInto, run } from "./run.ts"

const quiet = true

const judge = (tarball: string): boolean => {
  const publishable = run("publint", ["run", "--strict", tarball], { quiet })
  const typed = run("attw", ["--profile", "esm-only", "--no-emoji", "--no-summary", tarball], { quiet })
  return publishable && typed
}

const [kept] = process.argv.slice(2)
const folder = kept ?? mkdtempSync(join(tmpdir(), "solar-sites-packed-"))
try {
  mkdirSync(folder, { recursive: true })
  const tarballs = packInto(folder)
  const failed = [...tarballs].filter(([, tarball]) => !judge(tarball)).map(([project]) => project)
  if (failed.length > 0) {
    console.error(`not fit for publication: ${failed.join(", ")}`)
    process.exitCode = 1
  } else console.log(`${tarballs.size} packages are fit for publication`)
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true })
}
