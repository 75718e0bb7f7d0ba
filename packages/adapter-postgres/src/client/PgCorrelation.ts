/**
 * Correlation ids: every answer carries the id of its statement, which is compared
 * on arrival. A driver that loses count of the statements on a connection would
 * otherwise give one caller the rows of another.
 */
import { PgFailure } from "./PgErrors.ts"
import type { PgRows } from "./PgStatement.ts"

const mixedAnswer = () =>
  new PgFailure("the answer belongs to another statement; its connection cannot be trusted", "MIXED_ANSWER")

export const undefinedParameter = (index: number) =>
  new PgFailure(`parameter $${index + 1} is undefined; null is the absent value`, "UNDEFINED_PARAMETER")

const unsupported = () =>
  new PgFailure(
    "a statement with parameters must be a query, an insert, an update or a delete",
    "UNSUPPORTED_STATEMENT"
  )

// Comments and quoted texts are matched to be skipped; brackets change the level.
const tokens = /--[^\n]*|"(?:[^"]|"")*"|'(?:[^']|'')*'|[()]|\b(?:select|values|insert|update|delete|returning)\b/gi

/** Where the main statement begins, behind its `with`, and whether it has rows. */
const mainOf = (text: string): { readonly start: number; readonly hasRows: boolean } => {
  let depth = 0
  let start = -1
  let hasRows = false
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === "(") depth += 1
    else if (token === ")") depth -= 1
    else if (depth === 0 && /^\w/.test(token)) {
      if (start < 0) hasRows = /^(select|values)$/i.test(token)
      else if (/^returning$/i.test(token)) hasRows = true
      if (start < 0) start = index
    }
  }
  if (start < 0 || !/^\s*(with\b.*)?$/is.test(text.slice(0, start))) throw unsupported()
  return { start, hasRows }
}

const answer = '"correlated answer"'

/**
 * The statement with two columns in front: the parameter `$index`, and null in the
 * one row that stands for an answer without rows.
 */
export const withCorrelationId = (text: string, index: number): string => {
  const { hasRows, start } = mainOf(text)
  // A comment ends with its line.
  const ending = text.includes("--") ? "\n" : ""
  const head = text.slice(0, start).trimEnd()
  const before = head === "" ? "with" : `${head}${ending},`
  const rows = hasRows ? ` left join (select true, ${answer}.* from ${answer}) a on true` : ""
  return `${before} ${answer} as (${text.slice(start)}${ending})\nselect $${index}::text, ${hasRows ? "a.*" : "null"} from (select) one${rows}`
}

/** The rows without the two columns. Throws when the id is another one. */
export const rowsOf = (rows: ReadonlyArray<unknown>, id: string): PgRows => {
  // An unpatched driver can leave holes in front of the rows.
  const own = rows.filter((row) => Array.isArray(row))
  if (own.length === 0 || own.some(([found]) => found !== id)) throw mixedAnswer()
  return own.flatMap(([, isRow, ...values]) => (isRow === null || isRow === undefined ? [] : [values]))
}

/**
 * The rows in front of the answer that holds the id, of one statement or of several
 * in one message. `skip` answers are left out. Throws when the id is another one.
 */
export const rowsBefore = (answers: PgRows, id: string, skip = 0): PgRows => {
  const last = answers.at(-1)?.at(-1)
  if ((Array.isArray(last) ? last[0] : last) !== id) throw mixedAnswer()
  const before = Array.isArray(last) ? answers.slice(skip, -1) : []
  // Each answer of a message with several statements is an array of rows.
  return before.length === 1 ? (before[0] as PgRows) : before
}
