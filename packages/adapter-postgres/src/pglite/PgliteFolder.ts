/**
 * The folder of an embedded database: its creation, and its errors.
 *
 * PGlite takes a folder with a `PG_VERSION` for a database, which Postgres writes long before it has
 * created the rest. So an empty file beside the folder marks a creation that has not ended, such as
 * on a full disk, and the next start creates the database again.
 */
import { existsSync } from "node:fs"
import { readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { getSystemErrorMap } from "node:util"
import { unpackCluster } from "./PreparedCluster.ts"

const markOf = (folder: string): string => `${folder}.creating`

/** What Postgres creates in its folder. */
const ofPostgres = /^(base|global|pg_.+|PG_VERSION|postgresql.*\.conf|postmaster\.(pid|opts))$/

const clear = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (ofPostgres.test(name)) await rm(join(folder, name), { recursive: true })
  }
}

/**
 * Opens a copy of the prepared database. Postgres refuses files of another version; then PGlite
 * creates a database.
 */
const create = async <A>(folder: string, open: () => Promise<A>, unpack: (folder: string) => void): Promise<A> => {
  try {
    unpack(folder)
    return await open()
  } catch {
    await clear(folder)
    return open()
  }
}

/** Opens a database that exists, or creates one as a whole. The folder is locked. */
export const creating = async <A>(
  folder: string,
  open: () => Promise<A>,
  unpack: (folder: string) => void = unpackCluster
): Promise<A> => {
  const mark = markOf(folder)
  if (existsSync(mark)) await clear(folder)
  else if (existsSync(join(folder, "PG_VERSION"))) return open()
  await writeFile(mark, "")
  const database = await create(folder, open, unpack)
  await rm(mark)
  return database
}

/** The numbers by which the file system of the engine reports these errors, those of WASI. */
const codes: Readonly<Record<number, string>> = {
  2: "EACCES",
  19: "EDQUOT",
  29: "EIO",
  33: "EMFILE",
  41: "ENFILE",
  51: "ENOSPC",
  63: "EPERM",
  69: "EROFS"
}

/** PGlite reports a failed system call by an object with its number alone. */
export const fileFailure = (cause: unknown): unknown => {
  const { errno } = Object(cause)
  if (cause instanceof Error || typeof errno !== "number") return cause
  const known = [...getSystemErrorMap().values()].find(([code]) => code === codes[errno])
  return new Error(known?.join(": ") ?? `error ${errno} of the file system`, { cause })
}
