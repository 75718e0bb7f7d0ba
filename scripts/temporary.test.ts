import { execFile } from "node:child_process"
import { accessSync, constants, mkdirSync, rmSync } from "node:fs"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

// No folder can be removed, as when a disk is mounted in it.
const failingRemoval = `
  import fs from "node:fs"
  import { syncBuiltinESMExports } from "node:module"
  fs.rmSync = () => { throw new Error("EBUSY") }
  syncBuiltinESMExports()
  const { keepTemporaryFilesInMemory } = await import("./vitest.temporary.ts")
  keepTemporaryFilesInMemory()
  process.stdout.write(process.env.TMPDIR ?? "")
`

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

describe("temporary files of a test run", () => {
  it("that cannot be removed fail neither this run nor the next one", async () => {
    const memory = "/dev/shm"
    // No process has this number.
    const old = `${memory}/solar-sites-999999999-${process.pid}`
    if (isWritable(memory)) mkdirSync(old)
    const env = { PATH: process.env["PATH"] }
    const parameters = ["--input-type=module", "--eval", failingRemoval]
    const { stdout } = await promisify(execFile)(process.execPath, parameters, { env }).finally(() =>
      rmSync(old, { recursive: true, force: true })
    )
    expect(stdout).toMatch(/^$|^\/dev\/shm\/solar-sites-\d+-\w+$/)
    if (stdout !== "") rmSync(stdout, { recursive: true, force: true })
  })
})
