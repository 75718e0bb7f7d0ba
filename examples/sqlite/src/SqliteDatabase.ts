/**
 * The database. Its calls are synchronous, so a transaction around one function is one atomic step.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { RepositoryError } from "@solar-sites/core"
import { Context, Effect, Layer } from "effect"
import { schema } from "./Schema.ts"

type Row = Readonly<Record<string, unknown>>

/** Statements of the step under way. */
export interface Statements {
  readonly all: (sql: string, ...parameters: ReadonlyArray<SQLInputValue>) => ReadonlyArray<Row>
  readonly first: (sql: string, ...parameters: ReadonlyArray<SQLInputValue>) => Row | undefined
  /** Returns the number of changed rows. */
  readonly run: (sql: string, ...parameters: ReadonlyArray<SQLInputValue>) => number
}

/** `run` yields nowhere. It happens as a whole, or not at all when it throws. */
type Step = <A>(operation: string, run: (statements: Statements) => A) => Effect.Effect<A, RepositoryError>

const busy = 5

/** Another process holds the database. */
const isBusy = (cause: unknown): boolean => cause instanceof Error && "errcode" in cause && cause.errcode === busy

const prepared = (database: DatabaseSync): Statements => {
  const known = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => {
    const statement = known.get(sql) ?? database.prepare(sql)
    known.set(sql, statement)
    return statement
  }
  return {
    all: (sql, ...parameters) => prepare(sql).all(...parameters),
    first: (sql, ...parameters) => prepare(sql).get(...parameters),
    run: (sql, ...parameters) => Number(prepare(sql).run(...parameters).changes)
  }
}

const stepsOf = (database: DatabaseSync): Step => {
  const statements = prepared(database)
  return (operation, run) =>
    Effect.try({
      try: () => {
        database.exec("begin immediate")
        try {
          const result = run(statements)
          database.exec("commit")
          return result
        } catch (error) {
          if (database.isTransaction) database.exec("rollback")
          throw error
        }
      },
      catch: (cause) => new RepositoryError({ operation, retryable: isBusy(cause), cause })
    })
}

export class SqliteDatabase extends Context.Service<SqliteDatabase, { readonly step: Step }>()(
  "example-sqlite/SqliteDatabase"
) {
  /** A file, or `:memory:`. */
  static readonly layer = (location: string, create: string = schema): Layer.Layer<SqliteDatabase> =>
    Layer.effect(
      SqliteDatabase,
      Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => {
            const database = new DatabaseSync(location, { timeout: 5_000 })
            database.exec(`pragma journal_mode = wal; pragma synchronous = full; ${create}`)
            return database
          }),
          (database) => Effect.sync(() => database.close())
        ),
        (database) => ({ step: stepsOf(database) })
      )
    )
}
