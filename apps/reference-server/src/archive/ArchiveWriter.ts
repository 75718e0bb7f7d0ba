/** Writes a tar with gzip, entry by entry, with the checksum of each. */
import { createHash } from "node:crypto"
import { createWriteStream } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { pack as makePack, type Pack } from "tar-stream"
import type { ArchiveEntry } from "./ArchiveFormat.ts"

/** `modifiedAt` is the time of all entries. Readable by the owner only: an archive has personal data. */
export const makeArchiveWriter = (path: string, modifiedAt: Date) => {
  const pack: Pack = makePack()
  // Most files of documents are compressed already.
  const written = pipeline(pack, createGzip({ level: 1 }), createWriteStream(path, { mode: 0o600, flush: true }))
  let entry: { readonly destroy: (error: Error) => unknown } | undefined
  written.catch((cause) => entry?.destroy(cause instanceof Error ? cause : new Error(String(cause))))

  return {
    /** Rejects when the body has another length. */
    add: async (name: string, sizeBytes: number, body: AsyncIterable<Uint8Array>): Promise<ArchiveEntry> => {
      const hash = createHash("sha256")
      const hashing = async function* () {
        for await (const chunk of body) {
          hash.update(chunk)
          yield chunk
        }
      }
      const sink = pack.entry({ name, size: sizeBytes, mtime: modifiedAt, mode: 0o600 })
      entry = sink
      await pipeline(Readable.from(hashing(), { objectMode: false }), sink)
      return { name, sizeBytes, sha256: hash.digest("hex") }
    },
    /** Resolves when the archive is on disk. */
    end: async () => {
      pack.finalize()
      await written
    }
  }
}

export type ArchiveWriter = ReturnType<typeof makeArchiveWriter>
