/**
 * Files of a drop, with those of dropped folders.
 */
import { inBatches } from "../lists/inBatches.ts"
import type { SizedFile } from "./Upload.ts"

/** Files that file managers of operating systems keep in folders. */
const ofSystem = /^(\.DS_Store|Thumbs\.db|desktop\.ini)$/i

export const withoutSystemFiles = (files: Iterable<File>): ReadonlyArray<File> =>
  [...files].filter(({ name }) => !ofSystem.test(name))

// Chromium has no global classes of entries.
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

const sizesAtOnce = 10

/** The sizes of files, a few at a time: each is a request of the browser that blocks the page. */
export const withSizes = async (files: ReadonlyArray<File>): Promise<ReadonlyArray<SizedFile>> => {
  const sized: Array<SizedFile> = []
  for (const batch of inBatches(files, sizesAtOnce)) {
    sized.push(...batch.map((file) => ({ file, sizeBytes: file.size })))
    await new Promise((resolve) => setTimeout(resolve))
  }
  return sized
}

const readFile = (entry: FileSystemFileEntry): Promise<ReadonlyArray<File>> =>
  new Promise((resolve) => {
    // A file that cannot be read is left out.
    entry.file(
      (file) => resolve([file]),
      () => resolve([])
    )
  })

/** A reader answers a part of its folder per call, and an empty one at the end. */
const readPart = (reader: FileSystemDirectoryReader): Promise<ReadonlyArray<FileSystemEntry>> =>
  new Promise((resolve) => reader.readEntries(resolve, () => resolve([])))

/**
 * The files in the order of their folders, about `maximum` of them. To be called in the event of the drop, which the entries
 * do not survive.
 */
export const droppedFiles = async ({ items }: DataTransfer, maximum: number): Promise<ReadonlyArray<File>> => {
  const found: Array<File> = []
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (found.length > maximum) return
    if (isFile(entry)) found.push(...withoutSystemFiles(await readFile(entry)))
    if (!isFolder(entry)) return
    const reader = entry.createReader()
    for (let part = await readPart(reader); part.length > 0; part = await readPart(reader)) {
      for (const inside of part) await walk(inside)
    }
  }
  const dropped = [...items]
    .filter(({ kind }) => kind === "file")
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile())
  for (const item of dropped) {
    if (item instanceof File) found.push(...withoutSystemFiles([item]))
    else if (item !== null) await walk(item)
  }
  return found
}
