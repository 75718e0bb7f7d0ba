/**
 * An empty embedded database for tests. Creating one costs two seconds of processor time, copying
 * it a quarter of a second.
 */
import { cpSync, existsSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { PGlite } from "@electric-sql/pglite"

const { devDependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
const cache = fileURLToPath(new URL("../node_modules/.cache", import.meta.url))
const original = join(cache, `pglite-${devDependencies["@electric-sql/pglite"]}`)

/** Keeps the database for later runs. Processes that do this at the same time keep one of theirs. */
const create = async (): Promise<void> => {
  await mkdir(cache, { recursive: true })
  const unfinished = await mkdtemp(`${original}.`)
  const database = await PGlite.create({ dataDir: unfinished })
  await database.close()
  await rename(unfinished, original).catch(() => rm(unfinished, { recursive: true }))
}

/** Copies the database to this folder, for its first start. */
export const copyEmptyDatabase = async (folder: string): Promise<void> => {
  if (!existsSync(original)) await create()
  // Half the processor time of the asynchronous copy: the folder has a thousand small files.
  cpSync(original, folder, { recursive: true })
}
