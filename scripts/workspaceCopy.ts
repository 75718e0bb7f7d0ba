/**
 * A copy of the workspace in a folder: sources are copied, installed modules are linked, and the
 * packages of the workspace are those of the copy.
 */
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { promisify } from "node:util"

/** Runs a program of the workspace or of the machine; rejects with its output when it fails. */
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

const linkTo = (target: string, path: string) => {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path, "junction")
}

/** Links the modules of a project; those of the workspace lead to the copy. */
const linkModules = (project: string, copy: string) => {
  const installed = join(project, "node_modules")
  if (!existsSync(installed)) return
  const names = readdirSync(installed).flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(installed, name)).map((scoped) => `${name}/${scoped}`) : [name]
  )
  for (const name of names.filter((one) => !one.startsWith("."))) {
    const target = realpathSync(join(installed, name))
    const own = name.startsWith("@solar-sites/") ? join(copy, target.slice(resolve(".").length)) : null
    linkTo(own ?? target, join(copy, project, "node_modules", name))
  }
}

/**
 * Links what the workspace has installed into a copy of it. Projects are such as `packages/core`.
 */
export const linkInstalled = (copy: string, projects: ReadonlyArray<string>): void => {
  linkTo(resolve("node_modules"), join(copy, "node_modules"))
  for (const project of projects) linkModules(project, copy)
}

/**
 * Copies files by their paths in the workspace, and links the installed modules of the projects.
 */
export const copyWorkspace = (copy: string, files: ReadonlyArray<string>, projects: ReadonlyArray<string>): void => {
  for (const file of files) cpSync(file, join(copy, file), { recursive: true })
  linkInstalled(copy, projects)
}
