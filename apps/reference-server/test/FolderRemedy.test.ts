import { describe, expect, it } from "vitest"
import { folderRemedy } from "../src/FolderRemedy.ts"
import { run } from "./CommandInProcess.ts"

describe("the remedy for a folder that cannot be used", () => {
  it.each([
    ["ENOSPC: no space left on device", "Free space"],
    ['could not write to file "pg_wal/xlogtemp.42": No space left on device', "Free space"],
    ["EROFS: read-only file system, mkdir '/data'", "Mount its file system for writing"],
    ["EACCES: permission denied, mkdir '/data'", "Let the user of this process write there"],
    ["ENOTDIR: not a directory, mkdir '/data/files'", "Set DATA_DIR to a folder in which this process can create"]
  ])("of %s", (reason, remedy) => {
    expect(folderRemedy(reason)).toContain(remedy)
    expect(folderRemedy(reason)).toMatch(/DATA_DIR[^.]+\.$/)
  })

  it.skipIf(process.platform !== "linux")(
    "follows the reason where an embedded database cannot be created",
    async () => {
      const { code, stderr } = await run(["organisations", "list"], { DATA_DIR: "/proc/none" })
      expect([code, stderr]).toEqual([
        1,
        `The data folder /proc/none/database cannot be used: ENOENT: no such file or directory, mkdir '/proc/none'. ${folderRemedy("")}\n`
      ])
    }
  )
})
