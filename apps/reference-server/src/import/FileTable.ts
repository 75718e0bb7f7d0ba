/**
 * Opens a file as a table: CSV or XLSX, by its first bytes. A first pass finds the encoding of a
 * text and the digest; later passes read the rows. Memory does not grow with a file at a path.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { setImmediate } from "node:timers/promises"
import { csvRows, formatOf } from "./CsvTable.ts"
import { isEmptyRow, type Row, type Table, type TableSource, UnreadableTable } from "./Table.ts"
import { xlsxRows } from "./XlsxTable.ts"

const sampleBytes = 65_536
const chunkBytes = 65_536

type Encoding = "utf-8" | "windows-1252"

interface Scan {
  readonly digest: string
  readonly sample: Buffer
  readonly encoding: Encoding
}

const begins = (bytes: Buffer, ...prefix: ReadonlyArray<number>): boolean =>
  prefix.every((byte, index) => bytes[index] === byte)

const isZip = (bytes: Buffer): boolean => begins(bytes, 0x50, 0x4b, 0x03, 0x04)

const refuseOthers = (bytes: Buffer): void => {
  if (begins(bytes, 0xff, 0xfe) || begins(bytes, 0xfe, 0xff)) {
    throw new UnreadableTable("unsupported_encoding", "is UTF-16; save it as UTF-8")
  }
  if (begins(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    throw new UnreadableTable("unsupported_format", "is an old or encrypted workbook; save it as XLSX or CSV")
  }
  if (!isZip(bytes) && bytes.includes(0)) {
    throw new UnreadableTable("unsupported_encoding", "is no text in UTF-8 or Windows-1252; save it as UTF-8")
  }
}

async function* chunksOf(content: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += chunkBytes) {
    yield content.subarray(start, start + chunkBytes)
    // Other work of the process goes on between the chunks.
    await setImmediate()
  }
}

const chunks = (source: TableSource): AsyncIterable<Buffer> =>
  typeof source === "string" ? createReadStream(source) : chunksOf(source)

/** Text that is not UTF-8 is read as Windows-1252, as spreadsheets write it. */
const scan = async (source: TableSource): Promise<Scan> => {
  const hash = createHash("sha256")
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let sample = Buffer.alloc(0)
  let encoding: Encoding = "utf-8"
  const decode = (chunk?: Buffer) => {
    try {
      if (encoding === "utf-8") decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      encoding = "windows-1252"
    }
  }
  for await (const chunk of chunks(source)) {
    hash.update(chunk)
    if (sample.byteLength < sampleBytes) {
      sample = Buffer.concat([sample, chunk]).subarray(0, sampleBytes)
      refuseOthers(sample)
    }
    if (!isZip(sample)) decode(chunk)
  }
  decode()
  return { digest: hash.digest("hex"), sample, encoding }
}

async function* texts(source: TableSource, encoding: Encoding): AsyncGenerator<string> {
  // Removes a BOM.
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks(source)) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

async function* filled(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  for await (const row of rows) if (!isEmptyRow(row.cells)) yield row
}

/** Throws an `UnreadableTable`, or the error of the file system. */
export const openTable = async (source: TableSource): Promise<Table> => {
  const { digest, encoding, sample } = await scan(source)
  if (isZip(sample)) return { digest, hasCommaDecimals: true, rows: () => filled(xlsxRows(source)) }
  const format = formatOf(new TextDecoder(encoding).decode(sample))
  return {
    digest,
    hasCommaDecimals: format.delimiter !== ",",
    rows: () => filled(csvRows(texts(source, encoding), format))
  }
}
