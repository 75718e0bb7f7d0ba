/**
 * Embedded databases that all test files copy: that of a first start on an empty folder, and a
 * migrated one without data, which takes a tenth of the time. Migrating takes half a second.
 */
import { existsSync } from "node:fs"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { ConfigProvider, Effect } from "effect"
import { inject, vi } from "vitest"
import { copyDatabase, copyEmptyDatabase } from "../../../packages/adapter-postgres/test/EmptyDatabase.ts"
import { fromEnvironment, settings } from "../src/configuration/Settings.ts"
import { applyMigrations } from "../src/database/Database.ts"
import { serve, stop } from "./SolarSitesProcess.ts"

export interface FirstStart {
  readonly apiKey: string
  readonly stdout: string
  readonly stderr: string
  /** Response to the printed curl command. */
  readonly created: { readonly status: number; readonly body: unknown }
}

const folder = inject("preparedFolder")
// Not there yet, nor is the folder above it.
const dataDirectory = join(folder, "first", "data")
const migratedDirectory = join(folder, "migrated")

const firstStart = async (): Promise<FirstStart> => {
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

const migrated = async (): Promise<null> => {
  await copyEmptyDatabase(join(migratedDirectory, "database"))
  await fromEnvironment(settings).pipe(
    Effect.flatMap(applyMigrations),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord({ DATA_DIR: migratedDirectory })),
    Effect.runPromise
  )
  return null
}

const isFirst = (name: string): Promise<boolean> =>
  mkdir(join(folder, `${name}.making`)).then(
    () => true,
    () => false
  )

/** The first test file makes it; the others, in other processes, wait for the report. */
const once = async <A>(name: string, make: () => Promise<A>): Promise<A> => {
  const [report, failed] = [join(folder, `${name}.report`), join(folder, `${name}.failed`)]
  if (await isFirst(name)) {
    try {
      await writeFile(`${report}.part`, JSON.stringify(await make()))
      await rename(`${report}.part`, report)
    } catch (cause) {
      await writeFile(failed, String(cause))
      throw cause
    }
  }
  const look = async (): Promise<string | false> => {
    if (existsSync(failed)) throw new Error(`${name} failed: ${await readFile(failed, "utf8")}`)
    return existsSync(report) && (await readFile(report, "utf8"))
  }
  return JSON.parse(await vi.waitUntil(look, { timeout: 240_000, interval: 50 }))
}

/** Result of the first start. */
export const prepared = (): Promise<FirstStart> => once("first-start", firstStart)

/** With a timeout of statements for busy machines. */
const settingsOf = (path: string) => ({ DATA_DIR: path, QUERY_TIMEOUT: "30s" })

/** Settings of a copy of the database of the first start at this path. */
export const copyTo = async (path: string): Promise<ReturnType<typeof settingsOf>> => {
  copyDatabase(dataDirectory, path)
  return settingsOf(path)
}

/** Settings of a database at this path, with tables that are empty. */
export const migratedAt = async (path: string): Promise<ReturnType<typeof settingsOf>> => {
  await once("migrated", migrated)
  copyDatabase(migratedDirectory, path)
  return settingsOf(path)
}
