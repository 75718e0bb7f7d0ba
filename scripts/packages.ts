/**
 * Packs every public package and checks the tarball: its exports, and that its types resolve. With a
 * folder as argument the tarballs stay there.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Analysis, checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { packInto } from "./run.ts"

/** The packages are ESM; Node's older resolution finds none of them. */
const ignored = new Set(["node10", "node16-cjs"])

const faultsOfTypes = ({ problems }: Analysis): ReadonlyArray<string> =>
  problems
    .filter((problem) => !("resolutionKind" in problem && ignored.has(problem.resolutionKind)))
    .map((problem) => JSON.stringify(problem))

/** One sentence per fault. */
const faultsOf = async (tarball: string): Promise<ReadonlyArray<string>> => {
  const bytes = new Uint8Array(readFileSync(tarball))
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true })
  const analysis = await checkPackage(createPackageFromTarballData(bytes))
  return [
    ...messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code),
    ...(analysis.types === false ? ["has no types"] : faultsOfTypes(analysis))
  ]
}

const [kept] = process.argv.slice(2)
const folder = kept ?? mkdtempSync(join(tmpdir(), "solar-sites-packed-"))
try {
  mkdirSync(folder, { recursive: true })
  const tarballs = packInto(folder)
  for (const [project, tarball] of tarballs) {
    const faults = await faultsOf(tarball)
    for (const fault of faults) console.error(`${project} is not fit for publication: ${fault}`)
    if (faults.length > 0) process.exitCode = 1
  }
  if (process.exitCode === undefined) console.log(`${tarballs.size} packages are fit for publication`)
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true })
}
