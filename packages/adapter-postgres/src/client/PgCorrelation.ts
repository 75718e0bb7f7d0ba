/**
 * Correlation ids: every answer carries the id of the statement it was asked by,
 * and is compared on arrival. A driver that loses count of the statements under
 * way on a connection would otherwise give one caller the rows of another.
 *
 * The id counts the statements of a client and, where a statement is about one
 * organisation, names that organisation: two clients that share a connection never
 * take rows of different organisations for their own.
 */
import type { PgSql, PgStatementOptions } from "./PgDriver.ts"
import { PgFailure } from "./PgErrors.ts"
import type { PgParameter, PgRows } from "./PgStatement.ts"

/** An answer that belongs to another statement. Its rows are never read. */
const mixedAnswer = () =>
  new PgFailure("the answer belongs to another statement; its connection cannot be trusted", "MIXED_ANSWER")

const undefinedParameter = (index: number) =>
  new PgFailure(`parameter $${index + 1} is undefined; null is the absent value`, "UNDEFINED_PARAMETER")

const unsupported = () =>
  new PgFailure(
    "a statement with parameters must be a query, an insert, an update or a delete",
    "UNSUPPORTED_STATEMENT"
  )

// Comments, and names and texts in quotes, are passed over; brackets lead below the top level.
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
  const before = start === 0 || text.slice(0, start).trim() === "" ? "with" : `${text.slice(0, start).trimEnd()},`
  // A comment ends with its line.
  const ending = text.includes("--") ? "\n" : ""
  const rows = hasRows ? ` left join (select true, ${answer}.* from ${answer}) a on true` : ""
  return `${before} ${answer} as (${text.slice(start)}${ending})\nselect $${index}::text, ${hasRows ? "a.*" : "null"} from (select) one${rows}`
}

/** The rows behind the two columns. */
const rowsOf = (rows: ReadonlyArray<unknown>, id: string): PgRows => {
  // An unpatched driver can leave holes in front of the rows.
  const own = rows.filter((row) => Array.isArray(row))
  if (own.length === 0 || own.some(([found]) => found !== id)) throw mixedAnswer()
  return own.flatMap(([, isRow, ...values]) => (isRow === null || isRow === undefined ? [] : [values]))
}

/** The answer in front of the one that holds the id; of several statements, an array of answers. */
const answerBefore = (answers: PgRows, id: string): PgRows => {
  const last = answers.at(-1)?.at(-1)
  if ((Array.isArray(last) ? last[0] : last) !== id) throw mixedAnswer()
  const before = Array.isArray(last) ? answers.slice(0, -1) : []
  // Each answer of a message with several statements is an array of rows.
  return before.length === 1 ? (before[0] as PgRows) : before
}

/**
 * The client with correlation ids. Refuses parameters that are undefined, which
 * the driver takes for a statement under way. Statements without parameters may be
 * several in one message and of any kind; the id is read by one more behind them.
 */
export const correlated = (client: PgSql): PgSql => {
  // As the driver does, for texts that it prepares and keeps on each connection.
  const kept = new Map<string, string>()
  let count = 0

  const textOf = (text: string, index: number, isKept: boolean): string => {
    const known = kept.get(text)
    if (known !== undefined) return known
    const made = withCorrelationId(text, index)
    if (isKept) kept.set(text, made)
    return made
  }

  const send = async (
    text: string,
    parameters: ReadonlyArray<PgParameter>,
    { bind, organisationId, ...options }: PgStatementOptions
  ): Promise<PgRows> => {
    count += 1
    const id = organisationId === undefined ? `${count}` : `${count} ${organisationId}`
    if (parameters.length === 0) {
      return answerBefore(await client.unsafe(`${text}\n;select '${id}'`, [], options).values(), id)
    }
    const all = [...parameters, id]
    const asked = textOf(text, all.length, options.prepare === true)
    if (bind === undefined) return rowsOf(await client.unsafe(asked, all, options).values(), id)
    const answers = await client.unsafe(bind(asked, all), [], options).values()
    // The statement comes last in the message.
    return rowsOf(answers.at(-1) ?? [], id)
  }

  return {
    options: client.options,
    unsafe: (text, parameters = [], options = {}) => ({
      values: () => {
        // A copy, in which the holes of a sparse array are undefined too.
        const given: ReadonlyArray<unknown> = [...parameters]
        const index = given.indexOf(undefined)
        if (index >= 0) throw undefinedParameter(index)
        return send(text, parameters, options)
      }
    })
  }
}
