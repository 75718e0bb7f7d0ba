/**
 * A new database as PGlite creates it, in an archive of this package. To unpack it takes a tenth of
 * the processor time (decision 65). `test/pglite/makeCluster.ts` makes the archive.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliDecompressSync } from "node:zlib"

// The path is the same from `src/pglite` and from `dist/pglite`.
const archive = new URL("../../cluster/cluster.tar.br", import.meta.url)

// Layout of a tar archive: https://www.gnu.org/software/tar/manual/html_node/Standard.html
const blockBytes = 512
const sizeAt = 124
const typeAt = 156
const typeOfFolder = "5"

/** Writes the database into an empty folder. Throws when the archive is missing, such as in a bundle. */
export const unpackCluster = (folder: string): void => {
  const tar = brotliDecompressSync(readFileSync(archive))
  const textAt = (start: number): string => tar.toString("latin1", start, tar.indexOf(0, start))
  let next = 0
  while (next < tar.length && tar[next] !== 0) {
    const path = join(folder, textAt(next))
    const bytes = Number.parseInt(textAt(next + sizeAt), 8)
    const content = next + blockBytes
    if (textAt(next + typeAt).startsWith(typeOfFolder)) mkdirSync(path)
    else writeFileSync(path, tar.subarray(content, content + bytes))
    next = content + Math.ceil(bytes / blockBytes) * blockBytes
  }
}
