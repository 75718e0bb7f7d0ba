/**
 * The folder on disk: stored files in `objects/{organisation}/{site}/{document}`,
 * files that are being written in `incoming/`. Paths consist of parsed storage keys
 * only. Several processes can share a folder: each step is one atomic system call.
 */
import { type FileHandle, link, mkdir, open, readdir, rm, rmdir, stat, unlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { StorageKeyParts } from "@solar-sites/core"
import { codeOf, unlessAbsent } from "./FileFailure.ts"
import { openStored, type StoredFile } from "./StoredFile.ts"

// Uploaded files are readable by the user of the process only.
const folderMode = 0o700
export const fileMode = 0o600

// An empty parent folder can be removed between its creation and its first file. Node then reports
// one of several codes. A permanent error remains at the last attempt.
const placeAttempts = 100
const parentVanished = new Set(["ENOENT", "ENOTDIR", "EEXIST"])

/** A file that is being written. It is invisible until it is placed. */
export interface IncomingFile {
  readonly path: string
  readonly handle: FileHandle
}

export interface Folder {
  readonly objects: string
  readonly incoming: string
  readonly nextName: () => string
}

/**
 * Creates the folder and its missing parents. The recursive form of Node reports ENOENT for a
 * read-only file system, and does not end below `/proc`.
 */
const makeFolder = async (path: string): Promise<void> => {
  const make = () =>
    mkdir(path, { mode: folderMode }).catch(async (error) => {
      const isThere = codeOf(error) === "EEXIST" && (await stat(path)).isDirectory()
      if (!isThere) throw error
    })
  const parent = dirname(path)
  await make().catch(async (error) => {
    if (codeOf(error) !== "ENOENT" || parent === path) throw error
    await makeFolder(parent)
    await make()
  })
}

const syncDirectory = async (path: string): Promise<void> => {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, "r")
    await handle.sync()
  } catch (error) {
    // Some systems cannot open or sync a directory; they persist its entries without it.
    if (!["EISDIR", "EPERM", "EACCES", "EINVAL", "ENOTSUP", "ENOENT"].includes(codeOf(error) ?? "")) throw error
  } finally {
    await handle?.close()
  }
}

const removeLeftovers = async (incoming: string, writtenBefore: number): Promise<void> => {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    try {
      if ((await stat(path)).mtimeMs < writtenBefore) await unlink(path)
    } catch (error) {
      unlessAbsent(error)
    }
  }
}

/**
 * Creates a missing folder; deletes files in `incoming/` last written before `leftoversBefore`
 * (milliseconds).
 */
export const openFolder = async (
  directory: string,
  options: { readonly leftoversBefore: number; readonly nextName: () => string }
): Promise<Folder> => {
  const folder = {
    objects: join(directory, "objects"),
    incoming: join(directory, "incoming"),
    nextName: options.nextName
  }
  await makeFolder(folder.objects)
  await makeFolder(folder.incoming)
  await removeLeftovers(folder.incoming, options.leftoversBefore)
  return folder
}

const siteOf = ({ objects }: Folder, { organisationId, siteId }: StorageKeyParts): string =>
  join(objects, organisationId, siteId)

const pathOf = (folder: Folder, key: StorageKeyParts): string => join(siteOf(folder, key), key.documentId)

const incomingPrefix = ({ documentId, organisationId, siteId }: StorageKeyParts): string =>
  `${organisationId}.${siteId}.${documentId}.`

/** Creates an incoming file, of an upload to `key` if given. The caller must discard it. */
export const createIncoming = async ({ incoming, nextName }: Folder, key?: StorageKeyParts): Promise<IncomingFile> => {
  const path = join(incoming, `${key === undefined ? "" : incomingPrefix(key)}${nextName()}`)
  return { path, handle: await open(path, "wx", fileMode) }
}

export const discardIncoming = async ({ handle, path }: IncomingFile): Promise<void> => {
  await handle.close()
  await rm(path, { force: true })
}

/** Writes all bytes. One call may write fewer, such as on an almost full disk. */
export const append = async ({ handle }: IncomingFile, bytes: Uint8Array): Promise<void> => {
  for (let written = 0; written < bytes.byteLength; ) {
    written += (await handle.write(bytes, written)).bytesWritten
  }
}

/** Creates a hard link; false if `to` exists. */
export const linkUnlessTaken = async (from: string, to: string): Promise<boolean> => {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false
    throw error
  }
}

/**
 * Moves a complete file to its key, durably. False if the key has a file, which stays unchanged.
 */
export const place = async (folder: Folder, { handle, path }: IncomingFile, key: StorageKeyParts): Promise<boolean> => {
  await handle.sync()
  const site = siteOf(folder, key)
  const tryOnce = async () => {
    await mkdir(site, { recursive: true, mode: folderMode })
    return linkUnlessTaken(path, pathOf(folder, key))
  }
  for (let attempt = 1; ; attempt++) {
    try {
      if (!(await tryOnce())) return false
      break
    } catch (error) {
      if (!parentVanished.has(codeOf(error) ?? "") || attempt === placeAttempts) throw error
    }
  }
  for (const directory of [site, join(folder.objects, key.organisationId), folder.objects]) {
    await syncDirectory(directory)
  }
  return true
}

/** Opens the file at the key; null if absent. The caller closes it. */
export const openAt = (folder: Folder, key: StorageKeyParts): Promise<StoredFile | null> =>
  openStored(pathOf(folder, key))

/** Time at which the file at the key was placed; null if absent. */
export const modifiedAt = async (folder: Folder, key: StorageKeyParts): Promise<Date | null> => {
  try {
    return (await stat(pathOf(folder, key))).mtime
  } catch (error) {
    unlessAbsent(error)
    return null
  }
}

/** Keys with an upload in progress that was last written after the instant (milliseconds). */
export const findIncoming = async <Key extends StorageKeyParts>(
  { incoming }: Folder,
  keys: ReadonlyArray<Key>,
  writtenAfter: number
): Promise<ReadonlyArray<Key>> => {
  const byPrefix = new Map(keys.map((key) => [incomingPrefix(key), key]))
  const found = new Set<Key>()
  for (const name of await readdir(incoming)) {
    const key = byPrefix.get(name.slice(0, name.lastIndexOf(".") + 1))
    if (key === undefined) continue
    try {
      if ((await stat(join(incoming, name))).mtimeMs > writtenAfter) found.add(key)
    } catch (error) {
      unlessAbsent(error)
    }
  }
  return [...found]
}

const removeIfEmpty = async (path: string): Promise<boolean> => {
  try {
    await rmdir(path)
    return true
  } catch (error) {
    const code = codeOf(error)
    if (code === "ENOTEMPTY" || code === "EEXIST") return false
    unlessAbsent(error)
    return true
  }
}

// One thread of the four of Node's pool is left to others, such as downloads.
const sitesAtOnce = 3

/**
 * Deletes files, durably, and folders that become empty. Stops when aborted. Nothing is deleted after
 * its end, also when it fails: a document may then get a new file.
 */
export const removeAll = async (
  folder: Folder,
  keys: ReadonlyArray<StorageKeyParts>,
  signal: AbortSignal
): Promise<void> => {
  const sites = Map.groupBy(keys, (key) => siteOf(folder, key)).entries()
  const removeSites = async (): Promise<void> => {
    for (const [site, inSite] of sites) {
      for (const key of inSite) {
        signal.throwIfAborted()
        await unlink(pathOf(folder, key)).catch(unlessAbsent)
      }
      await syncDirectory(site)
      if (await removeIfEmpty(site)) await removeIfEmpty(join(site, ".."))
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: sitesAtOnce }, removeSites))
  for (const end of ends) if (end.status === "rejected") throw end.reason
}
