/**
 * Results of commands on standard output: with `--json` exactly one JSON document,
 * else text. Nothing else is written there.
 */
import { type ApiKey, apiScopes, type Organisation } from "@solar-sites/core"
import { Console, DateTime, Effect } from "effect"
import { CliOutput } from "effect/cli"
import type { User } from "../accounts/people/User.ts"

export type Documented = Readonly<Record<string, string | number | null | ReadonlyArray<string>>>

export const organisationDocument = ({ id, name, status }: Organisation): Documented => ({ id, name, status })

/** Without the secret. */
export const apiKeyDocument = ({
  createdAt,
  expiresAt,
  id,
  lastUsedAt,
  name,
  portfolioIds,
  prefix,
  scopes
}: ApiKey) => ({
  id,
  name,
  prefix,
  createdAt: DateTime.formatIso(createdAt),
  expiresAt: DateTime.formatIso(expiresAt),
  lastUsedAt: lastUsedAt === null ? null : DateTime.formatIso(lastUsedAt),
  scopes,
  portfolioIds
})

export const userDocument = ({ createdAt, email, id, name, organisationId, portfolioIds, role }: User): Documented => ({
  id,
  organisationId,
  email,
  name,
  createdAt: DateTime.formatIso(createdAt),
  role,
  portfolioIds
})

const align = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths: Array<number> = []
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, CliOutput.displayWidth(cell))
    })
  }
  const pad = (cell: string, column: number) => cell + " ".repeat((widths[column] ?? 0) - CliOutput.displayWidth(cell))
  return rows.map((row) => row.map(pad).join("  ").trimEnd()).join("\n")
}

const cellOf = ([member, value]: readonly [string, Documented[string]]): string => {
  if (typeof value === "string" || typeof value === "number") return String(value)
  const isAll = member === "portfolioIds" ? value === null : value?.length === apiScopes.length
  if (isAll) return "all"
  if (value === null || value === undefined) return "never"
  return value.length === 0 ? "none" : value.join(", ")
}

const titleOf = (member: string): string =>
  member === "portfolioIds" ? "portfolios" : member.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** A heading, then one line per member. */
export const describe = (heading: string, document: Documented): string =>
  `${heading}\n\n${align(Object.entries(document).map((entry) => [`  ${titleOf(entry[0])}`, cellOf(entry)]))}`

/** One line per document below a line of titles. */
export const table = (documents: ReadonlyArray<Documented>, empty: string): string => {
  const [first] = documents
  if (first === undefined) return empty
  const titles = Object.keys(first).map((member) => titleOf(member).toUpperCase())
  return align([titles, ...documents.map((document) => Object.entries(document).map(cellOf))])
}

/** Prints the document as JSON, or the text. */
export const print = (json: boolean, document: unknown, text: string): Effect.Effect<void> =>
  Console.log(json ? JSON.stringify(document) : text)

/** Prints lines of CSV. RFC 4180 ends lines with CR LF; the console adds the last LF. */
export const printCsv = (lines: ReadonlyArray<string>): Effect.Effect<void> =>
  lines.length === 0 ? Effect.void : Console.log(`${lines.join("\r\n")}\r`)

/** Prints one document, as text below a heading. */
export const printOne = (json: boolean, heading: string, document: Documented): Effect.Effect<void> =>
  print(json, document, describe(heading, document))

/** Prints a list of documents, as text one line for each; `empty` is the text without one. */
export const printAll = (json: boolean, documents: ReadonlyArray<Documented>, empty: string): Effect.Effect<void> =>
  print(json, { data: documents }, table(documents, empty))
