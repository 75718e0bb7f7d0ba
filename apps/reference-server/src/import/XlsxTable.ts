/**
 * Rows of the first sheet of an XLSX workbook (ECMA-376), read as a stream. Shared strings are kept
 * in memory. Sizes are bounded, also those of archives that pretend to be small.
 */
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from "yauzl"
import { type Row, type TableSource, UnreadableTable } from "./Table.ts"
import { maximumFormatCode, type ReadLimits } from "./TableLimits.ts"
import { tooLarge } from "./TableSteps.ts"
import { isDateCode, isDateFormat } from "./XlsxDates.ts"
import { joined, makeSheetReader, unescaped } from "./XlsxSheet.ts"
import { invalid, parsed, type XmlHandler } from "./XlsxXml.ts"

const maximumEntries = 10_000

interface Archive {
  readonly zip: ZipFile
  readonly entries: ReadonlyMap<string, Entry>
  readonly limits: ReadLimits
}

const openArchive = async (source: TableSource, limits: ReadLimits): Promise<Archive> => {
  const options = { lazyEntries: true, autoClose: false }
  const zip = await (typeof source === "string"
    ? openPromise(source, options)
    : fromBufferPromise(Buffer.from(source.buffer, source.byteOffset, source.byteLength), options))
  const entries = new Map<string, Entry>()
  try {
    if (zip.entryCount > maximumEntries) throw tooLarge()
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  } catch (cause) {
    zip.close()
    throw cause
  }
  return { zip, entries, limits }
}

/** A part of the archive. While it is read, yauzl refuses more bytes than the entry declares. */
async function* readPart(
  { entries, limits, zip }: Archive,
  name: string,
  handler: XmlHandler,
  limit: "partBytes" | "sheetBytes" = "partBytes"
): AsyncGenerator<void> {
  const entry = entries.get(name)
  if (entry === undefined) return
  if (entry.uncompressedSize > limits[limit]) throw tooLarge()
  yield* parsed(await zip.openReadStreamPromise(entry), handler)
}

const whole = async (archive: Archive, name: string, handler: XmlHandler): Promise<void> => {
  for await (const _ of readPart(archive, name, handler));
}

const readWorkbook = async (archive: Archive) => {
  let relation: string | undefined
  let is1904 = false
  await whole(archive, "xl/workbook.xml", {
    open: (name, attributes) => {
      if (name === "workbookPr") is1904 = ["1", "true"].includes(attributes["date1904"] ?? "")
      // The prefix of the attribute is `r` by convention.
      if (name === "sheet") relation ??= Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1]
    }
  })
  let target: string | undefined
  await whole(archive, "xl/_rels/workbook.xml.rels", {
    open: (name, { Id, Target }) => {
      if (name === "Relationship" && Id === relation) target = Target
    }
  })
  if (relation === undefined || target === undefined) throw invalid()
  const path = target.startsWith("/") ? target.slice(1) : `xl/${target}`
  if (!archive.entries.has(path)) throw invalid()
  return { path, is1904 }
}

const readSharedStrings = async (archive: Archive): Promise<ReadonlyArray<string>> => {
  const strings: Array<string> = []
  const inside: Array<string> = []
  let text = ""
  await whole(archive, "xl/sharedStrings.xml", {
    open: (name) => {
      inside.push(name)
      if (name === "si") text = ""
    },
    text: (part) => {
      // Phonetic texts (`rPh`) belong to no cell.
      if (inside.at(-1) === "t" && !inside.includes("rPh")) text = joined(text, part)
    },
    close: (name) => {
      inside.pop()
      if (name === "si") strings.push(unescaped(text))
    }
  })
  return strings
}

/** For each style of a cell whether it shows dates. */
const readDateStyles = async (archive: Archive): Promise<ReadonlyArray<boolean>> => {
  const codes = new Map<string, boolean>()
  const styles: Array<boolean> = []
  let isInFormats = false
  await whole(archive, "xl/styles.xml", {
    open: (name, { formatCode = "", numFmtId = "" }) => {
      if (name === "numFmt") {
        if (formatCode.length > maximumFormatCode)
          throw invalid(`has a format of more than ${maximumFormatCode} characters`)
        codes.set(numFmtId, isDateCode(formatCode))
      }
      if (name === "cellXfs") isInFormats = true
      if (name === "xf" && isInFormats) styles.push(isDateFormat(Number(numFmtId), codes.get(numFmtId)))
    },
    close: (name) => {
      if (name === "cellXfs") isInFormats = false
    }
  })
  return styles
}

export async function* xlsxRows(source: TableSource, limits: ReadLimits): AsyncGenerator<Row> {
  let archive: Archive | undefined
  try {
    archive = await openArchive(source, limits)
    const { is1904, path: sheet } = await readWorkbook(archive)
    const strings = await readSharedStrings(archive)
    const { handler, take } = makeSheetReader({ strings, dateStyles: await readDateStyles(archive), is1904 })
    for await (const _ of readPart(archive, sheet, handler, "sheetBytes")) yield* take()
    yield* take()
  } catch (cause) {
    if (cause instanceof UnreadableTable) throw cause
    // A damaged archive, or one that inflates to more than it declares.
    throw invalid()
  } finally {
    archive?.zip.close()
  }
}
