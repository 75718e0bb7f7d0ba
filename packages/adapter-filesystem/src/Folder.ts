/**
 * The folder on disk: `objects/{organisation}/{site}/{document}` holds what was
 * stored, `incoming/` what is still being written. Paths are made of parsed
 * storage keys only. Works for several processes on one folder, since every step
 * that matters is one system call.
 */
import { type FileHandle, link, mkdir, open, readdir, rm, rmdir, stat, unlink } from "node:fs/promises"
import { join } from "node:path"
import type { StorageKeyParts } from "@solar-sites/core"
import { codeOf, unlessAbsent } from "./FileFailure.ts"
import { openStored, type StoredFile } from "./StoredFile.ts"

/** Only the user of the process may see what customers have uploaded. */
const folderMode = 0o700
export const fileMode = 0o600

// A parent folder can be removed, being empty, between its creation and its first file; while it is created, Node says
// of that now this, now that. What is really in the way is so at the last attempt, too.
const placingAttempts = 100
const parentVanished = new Set(["ENOENT", "ENOTDIR", "EEXIST"])

/** A file that is being written. Nobody sees it before it is placed. */
export interface IncomingFile {
  readonly path: string
  readonly handle: FileHandle
}

export interface Folder {
  readonly objects: string
  readonly incoming: string
  readonly nextName: () => string
}

const syncDirectory = async (path: string): Promise<void> => {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, "r")
    await handle.sync()
  } catch (error) {
    // Not every system lets a directory be opened or synced; those keep its entries in order by themselves.
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

/** Makes the folder where it is missing, and removes what processes that died have left in `incoming/`. */
export const openFolder = async (
  directory: string,
  options: { readonly leftoversBefore: number; readonly nextName: () => string }
): Promise<Folder> => {
  const folder = {
    objects: join(directory, "objects"),
    incoming: join(directory, "incoming"),
    nextName: options.nextName
  }
  await mkdir(folder.objects, { recursive: true, mode: folderMode })
  await mkdir(folder.incoming, { recursive: true, mode: folderMode })
  await removeLeftovers(folder.incoming, options.leftoversBefore)
  return folder
}

const siteOf = ({ objects }: Folder, { organisationId, siteId }: StorageKeyParts): string =>
  join(objects, organisationId, siteId)

const pathOf = (folder: Folder, key: StorageKeyParts): string => join(siteOf(folder, key), key.documentId)

const incomingPrefix = ({ documentId, organisationId, siteId }: StorageKeyParts): string =>
  `${organisationId}.${siteId}.${documentId}.`

/** Begins a file, of an upload to the key if one is given. The caller discards it in any case. */
export const createIncoming = async ({ incoming, nextName }: Folder, key?: StorageKeyParts): Promise<IncomingFile> => {
  const path = join(incoming, `${key === undefined ? "" : incomingPrefix(key)}${nextName()}`)
  return { path, handle: await open(path, "wx", fileMode) }
}

export const discardIncoming = async ({ handle, path }: IncomingFile): Promise<void> => {
  await handle.close()
  await rm(path, { force: true })
}

/** Writes all of it: a single call may write less, above all on a disk that is nearly full. */
export const append = async ({ handle }: IncomingFile, bytes: Uint8Array): Promise<void> => {
  for (let written = 0; written < bytes.byteLength; ) {
    written += (await handle.write(bytes, written)).bytesWritten
  }
}

/** Creates a second name for a file unless that name is taken. */
export const linkUnlessTaken = async (from: string, to: string): Promise<boolean> => {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false
    throw error
  }
}

/** Gives a whole file its place, lastingly. False when something lies there already, which stays as it is. */
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
      if (!parentVanished.has(codeOf(error) ?? "") || attempt === placingAttempts) throw error
    }
  }
  for (const directory of [site, join(folder.objects, key.organisationId), folder.objects]) {
    await syncDirectory(directory)
  }
  return true
}

/** Opens what lies at the key; the caller closes it. */
export const openAt = (folder: Folder, key: StorageKeyParts): Promise<StoredFile | null> =>
  openStored(pathOf(folder, key))

/** When the file at the key was placed; null when there is none. */
export const modifiedAt = async (folder: Folder, key: StorageKeyParts): Promise<Date | null> => {
  try {
    return (await stat(pathOf(folder, key))).mtime
  } catch (error) {
    unlessAbsent(error)
    return null
  }
}

/** Those of the keys to which something is being written, last after the instant (in milliseconds). */
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

/** Removes files, lastingly, and the folders that they leave empty. Once aborted it removes nothing more. */
export const removeAll = async (
  folder: Folder,
  keys: ReadonlyArray<StorageKeyParts>,
  signal: AbortSignal
): Promise<void> => {
  for (const [site, inSite] of Map.groupBy(keys, (key) => siteOf(folder, key))) {
    for (const key of inSite) {
      signal.throwIfAborted()
      await unlink(pathOf(folder, key)).catch(unlessAbsent)
    }
    await syncDirectory(site)
    if (await removeIfEmpty(site)) await removeIfEmpty(join(site, ".."))
  }
}
