/**
 * Rows of CSV. The delimiter is a comma, a semicolon or a tab.
 */
import { pipeline, Readable } from "node:stream"
import { CsvError, parse } from "csv-parse"
import { type Cell, type Row, UnreadableTable } from "./Table.ts"
import { maximumRow } from "./TableLimits.ts"

const delimiters = [",", ";", "\t"]
const directiveLine = /^sep=(.)\r?\n/i

/** `hasDirective`: the first line is `sep=;`, as Excel writes and reads it. */
interface CsvFormat {
  readonly delimiter: string
  readonly hasDirective: boolean
}

/** The delimiter that occurs most often in the first line with text, outside of quotes. */
export const formatOf = (sample: string): CsvFormat => {
  const directive = directiveLine.exec(sample)?.[1]
  if (directive !== undefined && delimiters.includes(directive)) return { delimiter: directive, hasDirective: true }
  const counts = new Map<string, number>()
  let isQuoted = false
  for (const character of sample.trimStart()) {
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === "\n" || character === "\r")) break
    else if (!isQuoted) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  const [delimiter] = delimiters.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
  return { delimiter: delimiter ?? ",", hasDirective: false }
}

const cellOf = (value: string, { quoting }: { readonly quoting: boolean }): Cell =>
  value === "" && !quoting ? null : value

const detailOf = ({ code }: CsvError): string => {
  switch (code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return "begins a quoted cell that does not end"
    case "CSV_MAX_RECORD_SIZE":
      return `has more than ${maximumRow} characters; a quote may be missing`
    default:
      return "is no line of CSV: a quote is out of place"
  }
}

export async function* csvRows(
  texts: AsyncIterable<string>,
  { delimiter, hasDirective }: CsvFormat
): AsyncGenerator<Row> {
  const parser = parse({
    delimiter,
    cast: cellOf,
    max_record_size: maximumRow,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true
  })
  // Errors of the source end the parser, which reports them to its reader.
  pipeline(Readable.from(texts), parser, () => {})
  // A spreadsheet hides the directive.
  let row = hasDirective ? -1 : 0
  try {
    for await (const cells of parser) {
      if (++row > 0) yield { row, cells }
    }
  } catch (cause) {
    if (cause instanceof CsvError) throw new UnreadableTable("malformed_csv", detailOf(cause), row + 1)
    throw cause
  }
}
