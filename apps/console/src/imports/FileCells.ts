/**
 * Cells of a marked file, as text. Corrections replace single cells, and leave the rest of the file as it is.
 * Offsets are of records alone: a file has a million cells, of which a page shows few.
 */
const byteOrderMark = "\ufeff"

export interface FileCells {
  readonly text: string
  readonly delimiter: string
  /** Offsets of the records; row 1 is the header. */
  readonly starts: ReadonlyArray<number>
  readonly headers: ReadonlyArray<string>
}

export interface Correction {
  readonly row: number
  /** From 0. */
  readonly column: number
  readonly value: string
}

interface Span {
  readonly from: number
  readonly to: number
}

const startsOf = (text: string): ReadonlyArray<number> => {
  const starts = [0]
  let isQuoted = false
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place]
    if (character === '"') isQuoted = !isQuoted
    else if (character === "\n" && !isQuoted) starts.push(place + 1)
  }
  return starts.at(-1) === text.length ? starts.slice(0, -1) : starts
}

/** The raw cells of a row, with their quotes. */
const spansOf = ({ delimiter, starts, text }: Pick<FileCells, "delimiter" | "starts" | "text">, row: number) => {
  const end = starts[row] ?? text.length
  const spans: Array<Span> = []
  let isQuoted = false
  let from = starts[row - 1] ?? end
  for (let place = from; place < end; place += 1) {
    const character = text[place]
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === delimiter || character === "\r" || character === "\n")) {
      spans.push({ from, to: place })
      from = place + 1
      if (character !== delimiter) return spans
    }
  }
  return [...spans, { from, to: end }]
}

/** The server guards texts that a spreadsheet would compute by an apostrophe, which is no part of them. */
const shown = (raw: string): string => {
  const cell = raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell
}

const written = (value: string): string => (/[",;\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/** Reads a file that the server has marked: its first header names the faults. */
export const readCells = (marked: string): FileCells => {
  const text = marked.startsWith(byteOrderMark) ? marked.slice(1) : marked
  const delimiter = /[,;\t]/.exec(text)?.[0] ?? ","
  const starts = startsOf(text)
  const headers = spansOf({ delimiter, starts, text }, 1).map(({ from, to }) => shown(text.slice(from, to)))
  return { text, delimiter, starts, headers }
}

/** The place of a column; undefined when several columns have the header. */
export const columnOf = ({ headers }: FileCells, header: string | null): number | undefined => {
  const place = headers.indexOf(header ?? "")
  return place > 0 && headers.lastIndexOf(header ?? "") === place ? place : undefined
}

export const cellOf = (cells: FileCells, row: number, column: number): string => {
  const span = spansOf(cells, row)[column]
  return span === undefined ? "" : shown(cells.text.slice(span.from, span.to))
}

export const corrected = (cells: FileCells, corrections: ReadonlyArray<Correction>): FileCells => {
  const replaced = corrections
    .flatMap(({ column, row, value }) => {
      const span = spansOf(cells, row)[column]
      return span === undefined ? [] : [{ ...span, value: written(value) }]
    })
    .toSorted((a, b) => a.from - b.from)
  const parts: Array<string> = []
  let end = 0
  for (const { from, to, value } of replaced) {
    parts.push(cells.text.slice(end, from), value)
    end = to
  }
  return readCells(parts.join("") + cells.text.slice(end))
}

/** The byte order mark lets spreadsheets know UTF-8. */
export const toFile = ({ text }: FileCells, name: string): File => new File([byteOrderMark, text], name)
