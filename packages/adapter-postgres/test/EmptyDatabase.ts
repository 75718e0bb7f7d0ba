/**
 * An empty embedded database for tests: the prepared one, unpacked once. Unpacking it costs a quarter
 * of a second of processor time, copying it a twentieth.
 */
import { createHash } from "node:crypto"
import { cpSync, existsSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { unpackCluster } from "../src/pglite/PreparedCluster.ts"

const archive = readFileSync(new URL("../cluster/cluster.tar.br", import.meta.url))
const cache = fileURLToPath(new URL("../node_modules/.cache", import.meta.url))
const original = join(cache, `cluster-${createHash("sha256").update(archive).digest("hex").slice(0, 12)}`)

// The databases template1 and template0, and the maps of free and visible pages.
const unneeded = /[\\/]base[\\/][14]$|[\\/]\d+_(fsm|vm)$/

/**
 * Copies a folder with a stopped embedded database, without the files that it can do without: two
 * thirds of a thousand. Soon after others were deleted, ext4 takes half a second to create them.
 */
export const copyDatabase = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, filter: (path) => !unneeded.test(path) })

/** Keeps the database for later runs. Processes that do this at the same time keep one of theirs. */
const create = async (): Promise<void> => {
  await mkdir(cache, { recursive: true })
  const unfinished = await mkdtemp(`${original}.`)
  unpackCluster(unfinished)
  await rename(unfinished, original).catch(() => rm(unfinished, { recursive: true }))
}

/** Copies the database to this folder, for its first start. */
export const copyEmptyDatabase = async (folder: string): Promise<void> => {
  if (!existsSync(original)) await create()
  copyDatabase(original, folder)
}
