/**
 * Reads a part of a workbook as a stream of XML events.
 */
import type { Readable } from "node:stream"
import { SaxesParser, type SaxesTagPlain } from "saxes"
import { UnreadableTable } from "./Table.ts"
import { maximumDepth } from "./TableLimits.ts"
import { tooLarge } from "./TableSteps.ts"

/** Bytes without an end of a tag: one text or attribute is longer than any cell. */
const maximumToken = 1_048_576

export const invalid = (detail = "is no workbook that can be read") =>
  new UnreadableTable("malformed_xlsx", `${detail}; save it again as XLSX`)

/** Names are without the prefix of their namespace. */
export interface XmlHandler {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

/** Passes a part to a handler; yields after each chunk. */
export async function* parsed(source: Readable, handler: XmlHandler): AsyncGenerator<void> {
  const parser = new SaxesParser()
  let sinceTag = 0
  let depth = 0
  parser.on("opentag", ({ attributes, name }: SaxesTagPlain) => {
    sinceTag = 0
    if (++depth > maximumDepth) throw invalid(`nests more than ${maximumDepth} elements`)
    handler.open?.(localName(name), attributes)
  })
  parser.on("closetag", ({ name }) => {
    sinceTag = 0
    depth -= 1
    handler.close?.(localName(name))
  })
  if (handler.text !== undefined) parser.on("text", handler.text)
  // A document type could define entities that grow.
  parser.on("doctype", () => {
    throw invalid()
  })
  parser.on("error", () => {
    throw invalid()
  })
  const decoder = new TextDecoder()
  for await (const chunk of source) {
    sinceTag += chunk.length
    parser.write(decoder.decode(chunk, { stream: true }))
    if (sinceTag > maximumToken) throw tooLarge()
    yield
  }
  parser.close()
}
