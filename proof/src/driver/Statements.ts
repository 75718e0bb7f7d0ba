/**
 * The statements of the proof. Every answer holds the organisation and the id of its statement, which
 * are compared on arrival.
 */
import {
  mainQuery,
  type PgClient,
  type PgParameter,
  type PgRows,
  type PgText,
  sql
} from "@solar-sites/adapter-postgres"
import type { RepositoryError } from "@solar-sites/core"
import { Effect } from "effect"

/** Schema and tables, without any constraint that would hide a repeated write. */
export const setupSql = `
  create schema if not exists proof_driver;
  create table if not exists proof_driver.written (organisation text not null, id text not null);
  create index if not exists written_id on proof_driver.written (id text_pattern_ops);`

/** An asked statement: `own` is its organisation, `id` differs for each statement. */
export interface Asked {
  readonly own: string
  readonly id: string
  readonly size: number
}

/** What may come instead of rows. */
export type Expectation =
  /** A lost connection, a deadline or a cancellation. */
  | "rows"
  /** As well as any refusal of the server or the driver. */
  | "rows or refusal"
  | "refusal"

interface Kind {
  readonly weight: number
  readonly expects: Expectation
  /** Costs the statements beside it their connection, or much of their time; as frequent as other faults. */
  readonly isFault?: true
  /** How many rows with the id a successful statement leaves. Default: 0. */
  readonly writes?: number
}

const kinds = {
  read: { weight: 30, expects: "rows" },
  batchedRead: { weight: 20, expects: "rows" },
  rows: { weight: 8, expects: "rows" },
  large: { weight: 2, expects: "rows" },
  withoutParameters: { weight: 6, expects: "rows" },
  slow: { weight: 6, expects: "rows" },
  endless: { weight: 1, expects: "rows", isFault: true },
  write: { weight: 16, expects: "rows", writes: 1 },
  batchedWrite: { weight: 10, expects: "rows", writes: 1 },
  writeThree: { weight: 3, expects: "rows", writes: 3 },
  refusedWrite: { weight: 4, expects: "refusal", writes: 1 },
  refusedBatchedWrite: { weight: 2, expects: "refusal", writes: 1 },
  refusedAfterRows: { weight: 4, expects: "refusal" },
  undefinedParameter: { weight: 4, expects: "refusal", writes: 1 },
  wrongParameter: { weight: 4, expects: "rows or refusal" },
  ownEnd: { weight: 1, expects: "rows or refusal", isFault: true }
} as const satisfies Record<string, Kind>

export type StatementKind = keyof typeof kinds

export const statementKinds: Readonly<Record<StatementKind, Kind>> = kinds

class ForeignAnswer extends Error {
  override readonly name = "ForeignAnswer"
}

const expectRows = (rows: PgRows, expected: PgRows): void => {
  if (JSON.stringify(rows) === JSON.stringify(expected)) return
  const text = (all: PgRows) => JSON.stringify(all).slice(0, 300)
  throw new ForeignAnswer(`expected ${text(expected)}, got ${text(rows)}`)
}

/** Untyped code has values that the types exclude. */
const untyped = (value: unknown): PgParameter => value as PgParameter // The proof passes wrong types on purpose.

const wrongValues = [
  Symbol("wrong"),
  { toString: () => "wrong" },
  ["a", "b"],
  10n,
  Number.NaN,
  () => 1,
  new Date(0),
  "no number",
  "\u0000",
  "\ud800",
  new Uint8Array(3),
  true
].map(untyped)

const refusedSuffix = " refused"

const insert = "insert into proof_driver.written (organisation, id)"

/** The statements on a client. A wrong answer is a defect. */
export const statementsOn = ({
  batch,
  run
}: PgClient["Service"]): Record<StatementKind, (asked: Asked) => Effect.Effect<void, RepositoryError>> => {
  /** A statement with exactly the expected rows. */
  const rowsOf = (
    { own }: Asked,
    text: PgText | string,
    parameters: ReadonlyArray<PgParameter>,
    { readOnly = false, expected }: { readonly readOnly?: boolean; readonly expected: PgRows }
  ) =>
    Effect.map(run({ operation: "proof", text, parameters, readOnly, scope: { organisationId: own } }), (rows) =>
      expectRows(rows, expected)
    )
  const read = (asked: Asked, text: string, parameters: ReadonlyArray<PgParameter>, expected: PgRows) =>
    rowsOf(asked, text, parameters, { readOnly: true, expected })
  const write = (asked: Asked, text: PgText | string, parameters: ReadonlyArray<PgParameter>, copies = 1) =>
    rowsOf(asked, text, parameters, { expected: Array.from({ length: copies }, () => [asked.own, asked.id]) })

  /** Items of a batch are ids; the answer holds the organisation and all of them. */
  const batched = (readOnly: boolean, text: string) => {
    const ask = batch({
      operation: "proof",
      text,
      readOnly,
      parameters: (items: ReadonlyArray<string>) => [JSON.stringify(items)],
      decode: (rows) => new Set(rows.map(([organisation, id]) => `${organisation} ${id}`))
    })
    return ({ own, size }: Asked, id: string) =>
      Effect.map(ask(own, `group ${size % 3}`, id), (answers) => {
        if (answers.has(`${own} ${id}`) && [...answers].every((answer) => answer.startsWith(own))) return
        throw new ForeignAnswer(`expected ${own} ${id}, got ${[...answers].slice(0, 10).join(", ")}`)
      })
  }
  const items = "from json_array_elements_text($2::text::json) as item(id)"
  const refuse = `case when id like '%${refusedSuffix}' then 1 / length(left(id, 0)) else 0 end`
  const batchedRead = batched(true, `select $1::text, id ${items}`)
  const batchedWrite = batched(
    false,
    `${insert} select $1::text, id ${items} where ${refuse} = 0 returning organisation, id`
  )

  return {
    read: (asked) => read(asked, "select $1::text, $2::text", [asked.own, asked.id], [[asked.own, asked.id]]),
    batchedRead: (asked) => batchedRead(asked, asked.id),
    rows: (asked) => {
      const count = asked.size % 300
      const expected = Array.from({ length: count }, (_, index) => [asked.own, asked.id, index + 1])
      const text = "select $1::text, $2::text, n from generate_series(1, $3::int) n order by n"
      return read(asked, text, [asked.own, asked.id, count], expected)
    },
    large: (asked) => {
      const length = asked.size * 2_000
      const text = "select $1::text, $2::text, repeat($3::text, $4::int)"
      return read(asked, text, [asked.own, asked.id, "x", length], [[asked.own, asked.id, "x".repeat(length)]])
    },
    withoutParameters: (asked) => read(asked, `select '${asked.own}', '${asked.id}'`, [], [[asked.own, asked.id]]),
    slow: (asked) => {
      const text = "select $1::text, $2::text from (select pg_sleep($3::float / 1000)) slept"
      return read(asked, text, [asked.own, asked.id, asked.size % 50], [[asked.own, asked.id]])
    },
    endless: (asked) =>
      write(asked, "select $1::text, $2::text from (select pg_sleep(600)) slept", [asked.own, asked.id]),
    write: (asked) => {
      const text = `${insert} values ($1::text, $2::text) returning organisation, id`
      return write(asked, text, [asked.own, asked.id])
    },
    batchedWrite: (asked) => batchedWrite(asked, asked.id),
    writeThree: (asked) => {
      const text = `${insert} select $1::text, $2::text from generate_series(1, 3) returning organisation, id`
      return write(asked, text, [asked.own, asked.id], 3)
    },
    refusedWrite: (asked) => {
      const text = sql`with stored as (${insert} values ($1::text, $2::text) returning organisation, id)
        ${mainQuery} select organisation, id, 1 / (length(id) - length($2::text)) from stored`
      return write(asked, text, [asked.own, asked.id])
    },
    refusedBatchedWrite: (asked) => batchedWrite(asked, `${asked.id}${refusedSuffix}`),
    refusedAfterRows: (asked) => {
      const text = "select $1::text, $2::text, 1 / (100 - n) from generate_series(1, 200) n"
      return read(asked, text, [asked.own, asked.id], [])
    },
    undefinedParameter: (asked) => {
      const text = `${insert} values ($1::text, $2::text) returning organisation, id, $3::text`
      return write(asked, text, [asked.own, asked.id, untyped(undefined)])
    },
    wrongParameter: (asked) => {
      const text = `select $1::text, $2::text from (select $3::${asked.size % 2 === 0 ? "int" : "text"}) wrong`
      const wrong = wrongValues[asked.size % wrongValues.length] ?? null
      return read(asked, text, [asked.own, asked.id, wrong], [[asked.own, asked.id]])
    },
    ownEnd: (asked) => {
      const text = "select $1::text, $2::text from (select pg_terminate_backend(pg_backend_pid())) ended"
      return write(asked, text, [asked.own, asked.id])
    }
  }
}
