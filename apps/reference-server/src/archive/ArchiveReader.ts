/** Reads a tar with gzip, entry by entry, within the bounds of an archive. */
import { createReadStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import { extract as makeExtract } from "tar-stream"
import { Failure } from "../Failure.ts"
import { archiveBounds } from "./ArchiveFormat.ts"

export interface ReadEntry {
  readonly name: string
  readonly isFile: boolean
  readonly sizeBytes: number
  readonly body: AsyncIterable<Uint8Array>
}

/**
 * In the order of the archive; the rest of a body is skipped. Throws at the end of a damaged archive, and
 * in the midst of one that unpacks to too many bytes.
 */
export const entriesOf = async function* (path: string): AsyncGenerator<ReadEntry, void> {
  const gunzip = createGunzip()
  let unpacked = 0
  const bounded = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      unpacked += chunk.length
      if (unpacked > archiveBounds.freeBytes + archiveBounds.ratio * gunzip.bytesWritten) {
        const why = `the archive unpacks to more than ${archiveBounds.ratio} times its size`
        throw new Failure({ message: `Nothing was imported: ${why}.` })
      }
      yield chunk
    }
  }
  const extract = makeExtract()
  const reading = pipeline(createReadStream(path), gunzip, bounded, extract)
  // The iteration below throws the same error.
  reading.catch(() => {})
  for await (const entry of extract) {
    const { name, size = 0, type } = entry.header
    // `as`: an entry is a stream of bytes without an encoding; its type says no more than unknown.
    yield { name, isFile: type === "file", sizeBytes: size, body: entry as AsyncIterable<Uint8Array> }
    entry.resume()
  }
  await reading
}

const lineFeed = 10

/** The JSON values of an NDJSON body. */
export const linesOf = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let line: Array<Uint8Array> = []
  let lineBytes = 0
  for await (const chunk of body) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      yield JSON.parse(decoder.decode(Buffer.concat([...line, chunk.subarray(start, end)])))
      line = []
      lineBytes = 0
      start = end + 1
    }
    line.push(chunk.subarray(start))
    lineBytes += chunk.length - start
    if (lineBytes > archiveBounds.lineBytes) throw new Error(`it has more than ${archiveBounds.lineBytes} bytes`)
  }
  if (lineBytes > 0) throw new Error("it is incomplete")
}
