/** Runs shell commands of the documentation. */
import { execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { blocksOf, readPage } from "../../../scripts/blocks.ts"
import { type Finished, temporaryFolder, type Variables } from "./SolarSitesProcess.ts"

const { NODE_COMPILE_CACHE, PATH, SOLAR_SITES_BUNDLE } = process.env
const standIn = fileURLToPath(new URL("packageManagers.ts", import.meta.url))

/** Quotes a path for the shell: it may contain spaces and apostrophes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Runs commands with bash in an empty folder until one fails. Package managers are substituted. */
export const runShell = async (
  script: string,
  variables: Variables
): Promise<Pick<Finished, "code" | "stdout" | "stderr">> => {
  await using folder = await temporaryFolder()
  const [bin, cwd] = [join(folder.path, "bin"), join(folder.path, "work")]
  for (const path of [bin, cwd]) await mkdir(path)
  for (const name of ["npm", "npx", "pnpm"]) {
    const command = `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(standIn)} ${name} "$@"\n`
    await writeFile(join(bin, name), command, { mode: 0o755 })
  }
  const env = { PATH: `${bin}:${PATH}`, HOME: folder.path, NODE_COMPILE_CACHE, SOLAR_SITES_BUNDLE, ...variables }
  return await new Promise((resolve) => {
    execFile("bash", ["--norc", "-euo", "pipefail", "-c", script], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    )
  })
}

/** Runs the shell block of the README below the heading. */
export const runReadme = (heading: string, variables: Variables) => {
  const section = readPage("README.md")
    .split(/^## /m)
    .find((text) => text.startsWith(`${heading}\n`))
  const script = blocksOf("README.md", section ?? "").find(({ language }) => language === "sh")
  if (script === undefined) throw new Error(`The README has no commands under "${heading}"`)
  return runShell(script.code, variables)
}
