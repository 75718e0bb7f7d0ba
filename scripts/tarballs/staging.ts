/**
 * Tarballs of the public packages. `check` has just packed them. Otherwise they are built and packed in
 * a copy of their sources, so that a test needs no build and disturbs none.
 */
import { globSync, mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { packInto, publicProjects, tarballsIn } from "../run.ts"
import { copyWorkspace, execute } from "../workspaceCopy.ts"

const rootFiles = ["package.json", "pnpm-workspace.yaml", "tsconfig.base.json", "tsup.shared.ts", "LICENSE"]

const isBuilt = (path: string) => /(^|[\\/])(dist|node_modules|test|\.[^\\/]*)$/.test(path)

/** Tarballs by public project, such as `packages/core`. */
export const packed = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const { SOLAR_SITES_TARBALLS } = process.env
  return SOLAR_SITES_TARBALLS === undefined ? packCopy(folder) : tarballsIn(SOLAR_SITES_TARBALLS)
}

const packCopy = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const copy = join(folder, "workspace")
  const sources = publicProjects.flatMap((project) => globSync(`${project}/**/*.*`, { exclude: isBuilt }))
  copyWorkspace(copy, [...rootFiles, ...sources], publicProjects)
  const bin = resolve("node_modules/.bin")
  await Promise.all(publicProjects.map((project) => execute(join(bin, "tsup"), [], join(copy, project))))
  await execute(join(bin, "tsc"), ["-b", ...publicProjects], copy)
  const tarballs = join(folder, "tarballs")
  mkdirSync(tarballs)
  return packInto(tarballs, copy)
}
