/**
 * Statement ids: every answer carries the id of its statement, which is compared
 * on arrival. A driver that loses count of the statements on a connection would
 * otherwise give one caller the rows of another.
 */
import { PgFailure } from "./PgErrors.ts"
import type { PgRows } from "./PgStatement.ts"

const mixedAnswer = () =>
  new PgFailure("the answer belongs to another statement; its connection cannot be trusted", "MIXED_ANSWER")

export const undefinedParameter = (index: number) =>
  new PgFailure(`parameter $${index + 1} is undefined; null is the absent value`, "UNDEFINED_PARAMETER")

/** The rows of a `identified` text without the two columns. Throws when the id is another one. */
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
