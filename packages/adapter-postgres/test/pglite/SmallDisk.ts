/** File systems of one's own, which get full or are read-only. Only root can mount them. */
import { execFileSync } from "node:child_process"
import { userInfo } from "node:os"
import { Effect } from "effect"
import { temporaryFolder } from "../Databases.ts"

const run = (program: string, ...parameters: ReadonlyArray<string>) =>
  execFileSync(program, parameters, { stdio: "pipe" })

/** A file system in memory, as long as the scope is open. The options are those of tmpfs. */
export const smallDisk = (options: string) =>
  Effect.acquireRelease(
    Effect.map(temporaryFolder, (path) => {
      run("mount", "-t", "tmpfs", "-o", options, "tmpfs", path)
      return { path, change: (changed: string) => void run("mount", "-o", `remount,${changed}`, path) }
    }),
    ({ path }) => Effect.sync(() => run("umount", "--lazy", path))
  )

/** Why there can be no such file system; undefined when there can. */
export const obstacle = (() => {
  if (process.platform !== "linux") return "only Linux has tmpfs"
  if (userInfo().uid !== 0) return "only root can mount a small disk"
  try {
    run("unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt")
    return undefined
  } catch (cause) {
    return `nothing can be mounted here: ${cause}`
  }
})()
if (obstacle !== undefined) console.warn(`Tests on a small disk are skipped: ${obstacle}`)
