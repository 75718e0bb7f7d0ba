/**
 * Runs what the README tells people to type.
 */
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { type Finished, temporaryFolder, type Variables } from "./SolarSitesProcess.ts"

const { PATH } = process.env
const readme = new URL("../../../README.md", import.meta.url)

/** Runs the shell block under this heading with bash, which stops at the first command that fails. */
export const runReadme = async (
  heading: string,
  variables: Variables
): Promise<Pick<Finished, "code" | "stdout" | "stderr">> => {
  const section = (await readFile(readme, "utf8")).split(/^## /m).find((text) => text.startsWith(`${heading}\n`))
  const [, script] = /^```sh\n(.*?)^```$/ms.exec(section ?? "") ?? []
  if (script === undefined) throw new Error(`The README has no commands under "${heading}"`)
  await using folder = await temporaryFolder()
  const env = { PATH, ...variables }
  return await new Promise((resolve) => {
    execFile("bash", ["--norc", "-euo", "pipefail", "-c", script], { cwd: folder.path, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    )
  })
}
