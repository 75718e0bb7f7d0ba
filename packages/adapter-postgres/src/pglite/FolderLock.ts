/**
 * Locks a data folder for one process. PGlite has no lock: two processes on one
 * folder get their writes acknowledged, and most of these writes are lost.
 *
 * The lock is a lock of the operating system on a small SQLite database beside the
 * folder, so it ends with its process, also after a kill. A readable file next to
 * it names the process.
 */
import { mkdir, open, readFile, realpath, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { DateTime, Effect, Option, Schema, type Scope } from "effect"

const Holder = Schema.Struct({ pid: Schema.Int, since: Schema.String })

/**
 * A process, possibly this one, has the folder open since `since`. `pid` and `since`
 * are null until that process has written them.
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

/** The folder or the lock beside it cannot be created. */
export class FolderUnusable extends Schema.TaggedError<FolderUnusable>("@solar-sites/adapter-postgres/FolderUnusable")(
  "FolderUnusable",
  { folder: Schema.String, cause: Schema.Defect() }
) {
  override get message(): string {
    return `the data folder ${this.folder} cannot be used: ${this.cause instanceof Error ? this.cause.message : this.cause}`
  }
}

const codeOf = (cause: unknown): unknown => Object(cause).code

// PGlite creates files that all users may write; the mode of the folder keeps other users out.
const folderMode = 0o700

/**
 * Creates the folder and its missing parents. The recursive form of Node reports ENOENT for a
 * read-only file system, and does not end below `/proc`.
 */
const makeFolder = async (path: string): Promise<void> => {
  const make = () =>
    mkdir(path, { mode: folderMode }).catch((cause) => {
      if (codeOf(cause) !== "EEXIST") throw cause
    })
  const parent = dirname(path)
  await make().catch(async (cause) => {
    if (codeOf(cause) !== "ENOENT" || parent === path) throw cause
    await makeFolder(parent)
    await make()
  })
}

/** SQLite of Node, without the warning that some versions print at the first use. */
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

/** The error of a failed lock. */
const refusal = (folder: string, cause: unknown): Effect.Effect<FolderLocked | FolderUnusable> =>
  isBusy(cause)
    ? Effect.map(holderOf(`${folder}.holder.json`), (found) => {
        const { pid, since } = Option.getOrElse(found, () => ({ pid: null, since: null }))
        return new FolderLocked({ folder, pid, since })
      })
    : Effect.succeed(new FolderUnusable({ folder, cause }))

/**
 * Creates the folder when it is missing, and locks it until the scope closes. Returns its
 * real path.
 */
export const lockFolder = Effect.fnUntraced(function* (
  folder: string
): Effect.fn.Return<string, FolderLocked | FolderUnusable, Scope.Scope> {
  const unusable = (cause: unknown) => new FolderUnusable({ folder, cause })
  const real = yield* Effect.tryPromise({
    try: async () => {
      await makeFolder(folder)
      const real = await realpath(folder)
      // SQLite does not tell why it cannot open a file.
      await (await open(`${real}.lock`, "a")).close()
      return real
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
