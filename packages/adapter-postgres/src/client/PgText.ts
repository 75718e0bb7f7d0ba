/**
 * Texts of statements, made of SQL and of what the client adds when it sends them: the names of tables, and
 * where the main statement begins. No text is read to find them.
 */
import { quoteText } from "./PgSchema.ts"

type Part =
  | string
  | { readonly is: "table"; readonly name: string; readonly isChanged: boolean }
  | { readonly is: "routine"; readonly name: string }
  | { readonly is: "literal"; readonly text: PgText }
  | { readonly is: "main"; readonly hasRows: boolean }

/** A text, or a fragment of one. Made by `sql`. */
export class PgText {
  readonly parts: ReadonlyArray<Part>
  /** The last result of `identified`, since texts are constants. */
  written: { readonly names: PgNames; readonly text: string } | undefined

  constructor(parts: ReadonlyArray<Part>) {
    this.parts = parts
  }

  /** A template without the tag `sql` would lose the names. */
  toString(): never {
    throw new TypeError("a fragment of SQL stands in a template that is not tagged with `sql`")
  }
}

type Fragment = PgText | string | number

/** Parts, where strings that follow each other are one. */
const parts = () => {
  const all: Array<Part> = []
  let text = ""
  const add = (fragment: Fragment | Part): void => {
    if (fragment instanceof PgText) {
      for (const part of fragment.parts) add(part)
    } else if (typeof fragment === "object") {
      if (text !== "") all.push(text)
      all.push(fragment)
      text = ""
    } else text += fragment
  }
  const end = (): PgText => {
    if (text !== "") all.push(text)
    return new PgText(all)
  }
  return { add, end }
}

/** The tag of a text. Strings in it are SQL; values of callers belong into parameters. */
export const sql = (strings: TemplateStringsArray, ...values: ReadonlyArray<Fragment>): PgText => {
  const { add, end } = parts()
  for (const [index, string] of strings.entries()) {
    add(string)
    const value = values[index]
    if (value !== undefined) add(value)
  }
  return end()
}

/** Fragments with a separator between them. */
export const joined = (fragments: ReadonlyArray<Fragment>, separator: string): PgText => {
  const { add, end } = parts()
  for (const [index, fragment] of fragments.entries()) {
    if (index > 0) add(separator)
    add(fragment)
  }
  return end()
}

/** The name of a table in the schema of the client. */
export const table = (name: string): PgText => new PgText([{ is: "table", name, isChanged: false }])

/** The name of a table where the statement changes its rows. */
export const changedTable = (name: string): PgText => new PgText([{ is: "table", name, isChanged: true }])

/** The name of a function in the schema of the client. */
export const routine = (name: string): PgText => new PgText([{ is: "routine", name }])

/** A text as a literal within another one. */
export const literal = (text: PgText): PgText => new PgText([{ is: "literal", text }])

/**
 * Stands in front of the main statement of a text, behind its `with`, when that statement answers rows. A
 * text without it is a query, or a change with `returning`.
 */
export const mainQuery = new PgText([{ is: "main", hasRows: true }])

/** The same for a main statement that answers no rows: a change without `returning`. */
export const mainChange = new PgText([{ is: "main", hasRows: false }])

/** How parts are written. */
export interface PgNames {
  readonly table: (name: string) => string
  readonly routine: (name: string) => string
  /** SQL that is not a name. */
  readonly verbatim?: (text: string) => string
}

/** The names of a schema, which is quoted. */
export const namesIn = (schema: string): PgNames => {
  const name = (unquoted: string): string => `${schema}.${unquoted}`
  return { table: name, routine: name }
}

export const rendered = (parts: ReadonlyArray<Part>, names: PgNames): string => {
  const { routine, table, verbatim = (text: string) => text } = names
  let text = ""
  for (const part of parts) {
    if (typeof part === "string") text += verbatim(part)
    else if (part.is === "table") text += table(part.name)
    else if (part.is === "routine") text += routine(part.name)
    else if (part.is === "literal") text += quoteText(rendered(part.text.parts, names))
  }
  return text
}

/** The tables of a text, each with whether the statement changes it. */
export const tablesOf = ({ parts }: PgText, found = new Map<string, boolean>()): Map<string, boolean> => {
  for (const part of parts) {
    if (typeof part === "string") continue
    if (part.is === "table") found.set(part.name, part.isChanged || found.get(part.name) === true)
    else if (part.is === "literal") tablesOf(part.text, found)
  }
  return found
}

const result = '"identified answer"'

/**
 * The statement with two columns in front of its rows: the parameter `$index`, and null in the one row that
 * stands for an answer without rows.
 */
export const identified = (text: PgText, index: number, names: PgNames): string => {
  if (text.written?.names !== names) text.written = { names, text: withId(text, index, names) }
  return text.written.text
}

const withId = ({ parts }: PgText, index: number, names: PgNames): string => {
  const at = parts.findIndex((part) => typeof part === "object" && part.is === "main")
  const main = parts[at]
  const hasRows = typeof main !== "object" || main.is !== "main" || main.hasRows
  const head = rendered(parts.slice(0, Math.max(at, 0)), names)
  const rows = hasRows ? ` left join (select true, ${result}.* from ${result}) a on true` : ""
  // Each part may end with a comment.
  return `${head === "" ? "with" : `${head}\n,`} ${result} as (${rendered(parts.slice(at + 1), names)}\n)
select $${index}::text, ${hasRows ? "a.*" : "null"} from (select) one${rows}`
}
