/**
 * Builds and packs the public packages in a copy of their sources, so that a test
 * needs no build and disturbs none.
 */
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { promisify } from "node:util"
import { packInto, publicProjects } from "../run.ts"

/** Runs a program of the workspace or of the machine; rejects with what it said when it fails. */
export const execute = async (
  command: string,
  args: ReadonlyArray<string>,
  cwd: string,
  env: Readonly<Record<string, string>> = {}
): Promise<{ readonly stdout: string; readonly stderr: string }> => {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
  return promisify(execFile)(command, args, options).catch((error) => {
    throw new Error(`${command} ${args.join(" ")}\n${error.stdout ?? ""}${error.stderr ?? ""}`, { cause: error })
  })
}

const rootFiles = ["package.json", "pnpm-workspace.yaml", "tsconfig.base.json", "tsup.shared.ts", "LICENSE"]

const linkTo = (target: string, path: string) => {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path, "junction")
}

/** What a project has installed, but the packages of the workspace, which are those of the copy. */
const linkModules = (project: string, folder: string) => {
  const installed = join(project, "node_modules")
  if (!existsSync(installed)) return
  const names = readdirSync(installed).flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(installed, name)).map((scoped) => `${name}/${scoped}`) : [name]
  )
  for (const name of names.filter((one) => !one.startsWith("."))) {
    const own = name.startsWith("@solar-sites/") ? join(folder, "packages", name.slice("@solar-sites/".length)) : null
    linkTo(own ?? realpathSync(join(installed, name)), join(folder, project, "node_modules", name))
  }
}

const isBuilt = (source: string) => /[\\/](dist|node_modules|test|\.[^\\/]*)$/.test(source)

/** Gives the tarball of each public project, such as `packages/core`. */
export const packCopy = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const copy = join(folder, "workspace")
  for (const name of rootFiles) cpSync(name, join(copy, name))
  linkTo(resolve("node_modules"), join(copy, "node_modules"))
  for (const project of publicProjects) {
    cpSync(project, join(copy, project), { recursive: true, filter: (source) => !isBuilt(source) })
    linkModules(project, copy)
  }
  const bin = resolve("node_modules/.bin")
  await Promise.all(publicProjects.map((project) => execute(join(bin, "tsup"), [], join(copy, project))))
  await execute(join(bin, "tsc"), ["-b", ...publicProjects], copy)
  const tarballs = join(folder, "tarballs")
  mkdirSync(tarballs)
  return packInto(tarballs, copy)
}
