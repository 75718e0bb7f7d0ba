/** Reads a tar with gzip, entry by entry. */
import { createReadStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import { extract as makeExtract } from "tar-stream"

export interface ReadEntry {
  readonly name: string
  readonly isFile: boolean
  readonly sizeBytes: number
  readonly body: AsyncIterable<Uint8Array>
}

/** In the order of the archive; the rest of a body is skipped. Throws at the end of a damaged archive. */
export const entriesOf = async function* (path: string): AsyncGenerator<ReadEntry, void> {
  const extract = makeExtract()
  const reading = pipeline(createReadStream(path), createGunzip(), extract)
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

/** Maximum characters of a line; a larger one is no line of an archive. */
const longestLine = 64 * 1_024 * 1_024

/** The JSON values of an NDJSON body. */
export const linesOf = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let rest = ""
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    if (rest.length > longestLine) throw new Error("a line is too long")
    for (const line of lines) yield JSON.parse(line)
  }
  if (rest + decoder.decode() !== "") throw new Error("the last line is incomplete")
}
