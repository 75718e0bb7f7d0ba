/**
 * Folders of the workspace, and how programs are run.
 */
import { spawnSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Folders that are built, such as `packages/core`. */
export const projects: ReadonlyArray<string> = globSync("{packages,apps}/*/tsup.config.ts")
  .map((path) => path.replaceAll("\\", "/").replace(/\/[^/]+$/, ""))
  .sort()

/** Folders that are published. */
export const publicProjects: ReadonlyArray<string> = projects.filter(
  (project) => JSON.parse(readFileSync(`${project}/package.json`, "utf8")).private !== true
)

/** Runs a program; true on success. With `quiet`, output is printed on failure only. */
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

/**
 * Packs the public packages of a workspace into an empty folder. Returns the tarball of each
 * project; throws when one cannot be packed.
 */
export const packInto = (folder: string, workspace = "."): ReadonlyMap<string, string> => {
  const args = ["-y", "pnpm@10", "--recursive", "--filter", "./packages/*", "pack", "--pack-destination", folder]
  if (!run("npx", args, { cwd: workspace, quiet: true })) throw new Error("The packages cannot be packed")
  return tarballsIn(folder)
}

/** The packed tarball of each public project; throws when one is missing. */
export const tarballsIn = (folder: string): ReadonlyMap<string, string> => {
  const tarballs = globSync("*.tgz", { cwd: folder })
  return new Map(
    publicProjects.map((project) => {
      const prefix = `solar-sites-${project.slice("packages/".length)}-`
      const tarball = tarballs.find((name) => name.startsWith(prefix) && /^\d/.test(name.slice(prefix.length)))
      if (tarball === undefined) throw new Error(`${project} was not packed`)
      return [project, join(folder, tarball)]
    })
  )
}
