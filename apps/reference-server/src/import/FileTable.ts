/**
 * Opens a file as a table: CSV or XLSX, by its first bytes. A first pass finds the encoding of a
 * text and the digest; later passes read the rows. Runs in the thread of `TableThread`, so it
 * imports no package of the workspace: the thread starts without them.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { csvRows, formatOf } from "./CsvTable.ts"
import { type NumberColumn, numberColumns } from "./NumberColumns.ts"
import { type Row, type TableSource, UnreadableTable } from "./Table.ts"
import { limitsOf, type ReadLimits } from "./TableLimits.ts"
import { inSteps } from "./TableSteps.ts"
import { xlsxRows } from "./XlsxTable.ts"

const sampleBytes = 65_536
const chunkBytes = 65_536

type Encoding = "utf-8" | "windows-1252"

interface Scan {
  readonly digest: string
  readonly sample: Buffer
  readonly encoding: Encoding
}

/** `steps` reads the file from the start on each call. `digest` identifies its bytes. */
export interface FileTable {
  readonly digest: string
  readonly delimiter: string
  readonly steps: () => AsyncGenerator<ReadonlyArray<Row>, undefined>
  /** Null where a comma in a number is a decimal sign in every column: the delimiter is no comma. */
  readonly numberColumns: () => Promise<ReadonlyArray<NumberColumn> | null>
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

function* chunksOf(content: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < content.length; start += chunkBytes) yield content.subarray(start, start + chunkBytes)
}

const chunks = (source: TableSource): AsyncIterable<Uint8Array> | Iterable<Uint8Array> =>
  typeof source === "string" ? createReadStream(source) : chunksOf(source)

/** Text that is not UTF-8 is read as Windows-1252, as spreadsheets write it. */
const scan = async (source: TableSource): Promise<Scan> => {
  const hash = createHash("sha256")
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let sample = Buffer.alloc(0)
  let encoding: Encoding = "utf-8"
  const decode = (chunk?: Uint8Array) => {
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

/** Throws an `UnreadableTable`, or the error of the file system. */
export const openFile = async (source: TableSource, limits: ReadLimits = limitsOf(source)): Promise<FileTable> => {
  const { digest, encoding, sample } = await scan(source)
  if (isZip(sample)) {
    const steps = () => inSteps(xlsxRows(source, limits), limits.sheetBytes)
    return { digest, delimiter: ";", steps, numberColumns: async () => null }
  }
  const format = formatOf(new TextDecoder(encoding).decode(sample))
  const steps = () => inSteps(csvRows(texts(source, encoding), format), limits.sheetBytes)
  const { delimiter } = format
  return { digest, delimiter, steps, numberColumns: async () => (delimiter === "," ? numberColumns(steps()) : null) }
}
