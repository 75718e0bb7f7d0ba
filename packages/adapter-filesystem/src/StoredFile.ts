/**
 * Format of a stored file: content, media type, length of the media type, mark.
 * Content and media type appear and disappear in one step. The content starts at
 * byte 0. A file without the mark is incomplete or foreign.
 */
import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { unlessAbsent } from "./FileFailure.ts"

const mark = Buffer.from("solar/1\n", "latin1")
const lengthBytes = 4
const footerBytes = lengthBytes + mark.length

/** The bytes after the content. */
export const trailerOf = (mimeType: string): Buffer => {
  const type = Buffer.from(mimeType, "utf8")
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(type.length)
  return Buffer.concat([type, length, mark])
}

/** A stored file, open for reading. `version` is unique per stored content. */
export interface StoredFile {
  readonly handle: FileHandle
  readonly sizeBytes: number
  readonly mimeType: string
  readonly version: string
}

const readAt = async (handle: FileHandle, position: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

const read = async (handle: FileHandle): Promise<StoredFile | null> => {
  const stats = await handle.stat({ bigint: true })
  const total = Number(stats.size)
  if (!stats.isFile() || total < footerBytes) return null
  const footer = await readAt(handle, total - footerBytes, footerBytes)
  if (footer.length !== footerBytes || !footer.subarray(lengthBytes).equals(mark)) return null
  const typeBytes = footer.readUInt32BE()
  const sizeBytes = total - footerBytes - typeBytes
  if (sizeBytes < 0) return null
  const mimeType = (await readAt(handle, sizeBytes, typeBytes)).toString("utf8")
  return { handle, sizeBytes, mimeType, version: `${stats.ino.toString(36)}-${stats.mtimeNs.toString(36)}` }
}

/**
 * Opens the file at the path; null if it is absent or not a stored file. The caller closes the
 * handle.
 */
export const openStored = async (path: string): Promise<StoredFile | null> => {
  let handle: FileHandle
  try {
    handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  } catch (error) {
    unlessAbsent(error)
    return null
  }
  let stored: StoredFile | null = null
  try {
    stored = await read(handle)
  } finally {
    if (stored === null) await handle.close()
  }
  return stored
}
