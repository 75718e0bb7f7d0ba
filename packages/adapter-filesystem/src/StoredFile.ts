/**
 * One stored file: the content as it was sent, then its media type, then a mark.
 * Content and media type therefore appear and vanish in one step, the content
 * starts at byte 0 as in any other file, and what lacks the mark was never
 * stored by us as a whole.
 */
import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { unlessAbsent } from "./FileFailure.ts"

const mark = Buffer.from("solar/1\n", "latin1")
const lengthBytes = 4
const footerBytes = lengthBytes + mark.length

/** What follows the content. */
export const trailerOf = (mimeType: string): Buffer => {
  const type = Buffer.from(mimeType, "utf8")
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(type.length)
  return Buffer.concat([type, length, mark])
}

/** A stored file, open for reading. `version` differs for every content that ever lay here. */
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

/** Opens what lies at the path; null when that is nothing. The caller closes the handle. */
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
