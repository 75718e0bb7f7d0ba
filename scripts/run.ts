/**
 * What the scripts share: the folders of the workspace and how a program is run.
 */
import { spawnSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"

/** Every folder of the workspace that is built, such as `packages/core`. */
export const projects: ReadonlyArray<string> = globSync("{packages,apps}/*/tsup.config.ts")
  .map((path) => path.replaceAll("\\", "/").replace(/\/[^/]+$/, ""))
  .sort()

/** Those that are published. */
export const publicProjects: ReadonlyArray<string> = projects.filter(
  (project) => JSON.parse(readFileSync(`${project}/package.json`, "utf8")).private !== true
)

/** Runs a program; true when it succeeded. With `quiet`, its output is shown only when it did not. */
export const run = (
  command: string,
  args: ReadonlyArray<string>,
  { cwd = ".", quiet = false }: { readonly cwd?: string; readonly quiet?: boolean } = {}
): boolean => {
  const shown = quiet ? "pipe" : "inherit"
  const { error, status, stderr, stdout } = spawnSync(command, args, { cwd, stdio: ["ignore", shown, shown] })
  if (error !== undefined) console.error(`${command} could not be run: ${error.message}`)
  if (quiet && status !== 0) console.error(`${stdout ?? ""}${stderr ?? ""}`)
  return status === 0
}
