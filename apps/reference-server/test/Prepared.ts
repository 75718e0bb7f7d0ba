/**
 * Result of the first start on an empty folder, shared by all test files: creating a
 * database takes seconds, copying it does not.
 */
import { existsSync } from "node:fs"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { inject, vi } from "vitest"
import { copyDatabase, copyEmptyDatabase } from "../../../packages/adapter-postgres/test/EmptyDatabase.ts"
import { serve, stop } from "./SolarSitesProcess.ts"

export interface FirstStart {
  readonly apiKey: string
  readonly stdout: string
  readonly stderr: string
  /** Response to the printed curl command. */
  readonly created: { readonly status: number; readonly body: unknown }
}

const folder = inject("preparedFolder")
const dataDirectory = join(folder, "data")
const report = join(folder, "report.json")
const failed = join(folder, "report.failed")

const make = async (): Promise<FirstStart> => {
  const server = await serve({ DATA_DIR: dataDirectory, CONSOLE: "true" })
  const [, url = "", keyHeader = "", typeHeader = "", body = ""] = await server.prints(
    /curl -X POST (\S+) -H '([^']+)' -H '([^']+)' -d '([^']+)'\n/
  )
  const headers = [keyHeader, typeHeader].map((header): [string, string] => {
    const [name = "", value = ""] = header.split(": ")
    return [name, value]
  })
  const response = await fetch(url, { method: "POST", headers, body })
  const created = { status: response.status, body: await response.json() }
  const { stderr, stdout } = await stop(server)
  return { apiKey: keyHeader.replace("x-api-key: ", ""), stdout, stderr, created }
}

const isFirst = (): Promise<boolean> =>
  mkdir(join(folder, "making")).then(
    () => true,
    () => false
  )

const makeForAll = async (): Promise<void> => {
  try {
    await writeFile(`${report}.part`, JSON.stringify(await make()))
    await rename(`${report}.part`, report)
  } catch (cause) {
    await writeFile(failed, String(cause))
    throw cause
  }
}

const look = async (): Promise<string | false> => {
  if (existsSync(failed)) throw new Error(`The first start failed: ${await readFile(failed, "utf8")}`)
  return existsSync(report) && (await readFile(report, "utf8"))
}

/** The first test file creates it; the others, in other processes, wait. */
export const prepared = async (): Promise<FirstStart> => {
  if (await isFirst()) await makeForAll()
  return JSON.parse(await vi.waitUntil(look, { timeout: 240_000, interval: 50 }))
}

/** With a timeout of statements for busy machines. */
const settingsOf = (path: string) => ({ DATA_DIR: path, QUERY_TIMEOUT: "30s" })

/** Settings of a copy at this path. */
export const copyTo = async (path: string): Promise<ReturnType<typeof settingsOf>> => {
  copyDatabase(dataDirectory, path)
  return settingsOf(path)
}

/** Settings of an empty database at this path, without tables. */
export const emptyAt = async (path: string): Promise<ReturnType<typeof settingsOf>> => {
  await copyEmptyDatabase(join(path, "database"))
  return settingsOf(path)
}
