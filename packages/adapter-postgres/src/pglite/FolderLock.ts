/**
 * Keeps a data folder to one process. PGlite itself does not: two processes on
 * one folder both get their writes acknowledged, and most of them are lost.
 *
 * The lock is one of the operating system on a small SQLite database beside the
 * folder, so that it ends with its process, also with one that is killed. Who
 * holds it stands in a readable file next to it.
 *
 * @since 0.1.0
 */
import { mkdir, readFile, realpath, writeFile } from "node:fs/promises"
import type { DatabaseSync } from "node:sqlite"
import { DateTime, Effect, Option, Schema, type Scope } from "effect"

const Holder = Schema.Struct({ pid: Schema.Int, since: Schema.String })

/**
 * Another process, or this one, has the folder open. `pid` and `since` tell
 * which and from when on; null for the moment in which that is not written yet.
 *
 * @category errors
 * @since 0.1.0
 */
export class FolderLocked extends Schema.TaggedError<FolderLocked>("@solar-sites/adapter-postgres/FolderLocked")(
  "FolderLocked",
  { folder: Schema.String, pid: Schema.NullOr(Schema.Int), since: Schema.NullOr(Schema.String) }
) {
  override get message(): string {
    const holder =
      this.pid === null ? "another process" : `the process with id ${this.pid}, running on it since ${this.since}`
    return `the data folder ${this.folder} is in use by ${holder}`
  }
}

/**
 * The folder cannot be made, or the lock beside it cannot be.
 *
 * @category errors
 * @since 0.1.0
 */
export class FolderUnusable extends Schema.TaggedError<FolderUnusable>("@solar-sites/adapter-postgres/FolderUnusable")(
  "FolderUnusable",
  { folder: Schema.String, cause: Schema.Defect() }
) {
  override get message(): string {
    return `the data folder ${this.folder} cannot be used: ${this.cause instanceof Error ? this.cause.message : this.cause}`
  }
}

/** Node's own SQLite, without the warning that some versions print on its first use. */
const openSqlite = (path: string): DatabaseSync => {
  const warn = process.emitWarning
  process.emitWarning = (warning: string | Error, ...rest: Array<unknown>) => {
    if (!String(warning).includes("SQLite")) Reflect.apply(warn, process, [warning, ...rest])
  }
  try {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
    return new DatabaseSync(path)
  } finally {
    process.emitWarning = warn
  }
}

const isBusy = (cause: unknown): boolean =>
  cause instanceof Error && "errcode" in cause && (cause.errcode === 5 || cause.errcode === 6)

const lock = (path: string): DatabaseSync => {
  const database = openSqlite(path)
  try {
    database.exec("pragma busy_timeout = 0; pragma locking_mode = exclusive; begin exclusive")
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

const holderOf = (path: string) =>
  Effect.tryPromise(() => readFile(path, "utf8")).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Schema.fromJsonString(Holder))),
    Effect.option
  )

/** Why the lock could not be had. */
const refusal = (folder: string, cause: unknown): Effect.Effect<FolderLocked | FolderUnusable> =>
  isBusy(cause)
    ? Effect.map(holderOf(`${folder}.holder.json`), (found) => {
        const { pid, since } = Option.getOrElse(found, () => ({ pid: null, since: null }))
        return new FolderLocked({ folder, pid, since })
      })
    : Effect.succeed(new FolderUnusable({ folder, cause }))

/** Makes the folder if there is none, and holds it until the scope closes. Answers its real path. */
export const lockFolder = Effect.fnUntraced(function* (
  folder: string
): Effect.fn.Return<string, FolderLocked | FolderUnusable, Scope.Scope> {
  const unusable = (cause: unknown) => new FolderUnusable({ folder, cause })
  const real = yield* Effect.tryPromise({
    try: async () => {
      // What is in it is for nobody else on this machine; its files let everybody write.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return await realpath(folder)
    },
    catch: unusable
  })
  yield* Effect.acquireRelease(
    Effect.try({ try: () => lock(`${real}.lock`), catch: (cause) => cause }).pipe(
      Effect.catch((cause) => Effect.flatMap(refusal(real, cause), (error) => Effect.fail(error)))
    ),
    (database) => Effect.sync(() => database.close())
  )
  const holder = { pid: process.pid, since: DateTime.formatIso(yield* DateTime.now) }
  yield* Effect.tryPromise({
    try: () => writeFile(`${real}.holder.json`, `${JSON.stringify(holder)}\n`),
    catch: unusable
  })
  return real
})
