/**
 * Temporary files of a test run in memory. Soon after files were deleted, ext4 takes half a second
 * of processor time to create the thousand files of a database.
 */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync
} from "node:fs"

const gibibyte = 1_073_741_824
const leastFree = 8 * gibibyte

/** Mount point of a file system in memory. */
const memory = "/dev/shm"

const isWritable = (): boolean => {
  try {
    accessSync(memory, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Whether programs can run from there, and a run fits there and into the memory of the machine. */
const isUsable = (): boolean => {
  if (process.platform !== "linux" || !isWritable()) return false
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n")
  const options = mounts.findLast((line) => line.split(" ")[1] === memory)?.split(" ")[3]
  if (options === undefined || options.split(",").some((option) => option === "noexec" || option === "ro")) return false
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, process.availableMemory()) >= leastFree
}

/** Leaves what cannot be removed, such as a mounted disk or a file of another user. */
const remove = (folder: string): void => {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // Tests have passed or failed without it. A later run tries again.
  }
}

/** Removes the folders of runs that were killed. */
const removeOld = (): void => {
  for (const name of readdirSync(memory)) {
    const [, pid] = /^solar-sites-(\d+)-/.exec(name) ?? []
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue
    remove(`${memory}/${name}`)
  }
}

/** Sets `TMPDIR` for this process and those that it starts, unless it is set. */
export const keepTemporaryFilesInMemory = (): void => {
  if (process.env["TMPDIR"] !== undefined || !isUsable()) return
  removeOld()
  const folder = mkdtempSync(`${memory}/solar-sites-${process.pid}-`)
  // As /tmp: servers run as other users.
  chmodSync(folder, 0o1777)
  process.env["TMPDIR"] = folder
  // An exception here would fail a run of which all tests have passed.
  process.once("exit", () => remove(folder))
}
