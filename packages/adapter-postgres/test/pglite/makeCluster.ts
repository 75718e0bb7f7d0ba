/**
 * Makes the archive of a new database, or compares it with the file of that name:
 *
 *     node packages/adapter-postgres/test/pglite/makeCluster.ts [--write]
 *
 * With a fixed clock and fixed random bytes each run makes the same archive, before it is compressed.
 */
import crypto from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib"
import { pack } from "tar-stream"

const startOf2026 = Date.UTC(2026)
Date.now = () => startOf2026
crypto.randomFillSync = <A extends NodeJS.ArrayBufferView | ArrayBuffer>(bytes: A): A => {
  new Uint8Array(
    "buffer" in bytes ? bytes.buffer : bytes,
    "buffer" in bytes ? bytes.byteOffset : 0,
    bytes.byteLength
  ).fill(1)
  return bytes
}
const { PGlite } = await import("@electric-sql/pglite")

const archive = new URL("../../cluster/cluster.tar.br", import.meta.url)

const create = async (dataDir: string): Promise<void> => {
  await (await PGlite.create({ dataDir })).close()
  // Leaves the write-ahead log of the creation out: 16 MB, which nothing reads after a clean stop.
  const startParams = [...PGlite.defaultStartParams, "-c", "wal_recycle=off"]
  const database = await PGlite.create({ dataDir, startParams })
  await database.exec("select pg_switch_wal()")
  await database.exec("checkpoint")
  await database.close()
}

const tarOf = (folder: string): Promise<Buffer> => {
  const tar = pack()
  const shared = { mtime: new Date(startOf2026), uid: 0, gid: 0 }
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    const name = path.replaceAll("\\", "/")
    if (statSync(join(folder, path)).isDirectory()) tar.entry({ ...shared, name, type: "directory", mode: 0o700 })
    else tar.entry({ ...shared, name, mode: 0o600 }, readFileSync(join(folder, path)))
  }
  tar.finalize()
  return buffer(tar)
}

const compressed = (tar: Buffer): Buffer =>
  brotliCompressSync(tar, {
    params: {
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: tar.length
    }
  })

const folder = mkdtempSync(join(tmpdir(), "cluster-"))
try {
  await create(folder)
  const tar = await tarOf(folder)
  if (process.argv.includes("--write")) writeFileSync(archive, compressed(tar))
  else if (!tar.equals(brotliDecompressSync(readFileSync(archive)))) {
    console.error(`${archive} is not what PGlite creates: run this program with --write`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true })
}
