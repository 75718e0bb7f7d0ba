/**
 * A PGlite on a folder, which is opened again after its engine stopped.
 *
 * Postgres ends itself when it cannot write its write-ahead log, such as on a full disk. It
 * expects to be started again, which recovers every acknowledged write.
 */
import { PGlite } from "@electric-sql/pglite"
import { Effect, type Scope } from "effect"
import { FolderUnusable } from "./FolderLock.ts"
import type { PgliteBackend } from "./PgliteBridge.ts"
import { creating, fileFailure } from "./PgliteFolder.ts"

const startParams = [
  ...PGlite.defaultStartParams,
  // Postgres touches all of its buffers at the start, 128 MB by default. The operating system caches
  // the files anyway; 16 MB hold the indexes of some hundred thousand sites.
  "-c",
  "shared_buffers=16MB",
  // Its timer would keep a stopped engine in memory for 10 s, 140 MB for each attempt to open.
  "-c",
  "log_startup_progress_interval=0"
]

// An attempt to open the folder blocks the event loop for some tenths of a second.
const pauseMillis = 1_000

// Exit status by which the engine reports an error of a statement.
const reportedError = 100

/**
 * Ends the message on which the engine stops. PGlite ignores the exception and goes on with the
 * stopped engine, possibly forever; between both it calls `stackRestore`.
 */
const endWithEngine = ({ Module: engine }: PGlite, reason: () => string | undefined): void => {
  const { _PostgresMainLoopOnce: runOnce, stackRestore } = engine
  let hasStopped = false
  engine._PostgresMainLoopOnce = () => {
    try {
      runOnce()
    } catch (cause) {
      hasStopped ||= Object(cause).status !== reportedError
      throw cause
    }
  }
  engine.stackRestore = (pointer) => {
    if (hasStopped) throw new Error(`the embedded database stopped: ${reason()}`)
    return stackRestore(pointer)
  }
}

/** Closes the files of a stopped engine. `close` of PGlite would let it write. */
const abandon = async ({ fs }: PGlite): Promise<void> => {
  try {
    await fs?.closeFs()
  } catch {
    // The engine has opened no files yet, or a file cannot be closed.
  }
}

const open = async (folder: string): Promise<PGlite> => {
  let reason: string | undefined
  const database = new PGlite({
    dataDir: folder,
    startParams,
    onStderr: (line) => {
      reason = /(?:FATAL|PANIC): +(.*)/.exec(line)?.[1] ?? reason
      return false
    }
  })
  try {
    await database.waitReady
  } catch (cause) {
    await abandon(database)
    throw reason === undefined ? fileFailure(cause) : new Error(reason, { cause })
  }
  endWithEngine(database, () => reason)
  return database
}

interface OpenDatabase extends PgliteBackend {
  readonly close: () => Promise<void>
}

/** The next message opens the folder again, at most once a second while that fails. */
const reopening = (folder: string, first: PGlite): OpenDatabase => {
  let engine: PGlite | undefined = first
  let opening: Promise<PGlite> | undefined
  let failure: unknown = new Error("the embedded database is closed")
  let nextAttemptAt = 0

  const reopen = async (): Promise<PGlite> => {
    try {
      engine = await open(folder)
      return engine
    } catch (cause) {
      failure = cause
      nextAttemptAt = performance.now() + pauseMillis
      throw cause
    } finally {
      opening = undefined
    }
  }

  const opened = async (): Promise<PGlite> => {
    if (engine !== undefined) return engine
    if (opening === undefined) {
      if (performance.now() < nextAttemptAt) throw failure
      opening = reopen()
    }
    return opening
  }

  const current = (): PGlite => {
    if (engine === undefined) throw new Error("the embedded database stopped")
    return engine
  }

  return {
    runExclusive: async (task) => {
      const database = await opened()
      return database.runExclusive(async () => {
        // It may have stopped while this task waited for another one.
        if (database !== current()) throw new Error("the embedded database was opened again")
        return task()
      })
    },
    execProtocolRawStream: async (message, options) => {
      const database = current()
      try {
        await database.execProtocolRawStream(message, options)
      } catch (cause) {
        engine = undefined
        await abandon(database)
        throw cause
      }
    },
    close: async () => {
      nextAttemptAt = Number.POSITIVE_INFINITY
      const last = engine ?? (await opening?.catch(() => undefined))
      await last?.close()
    }
  }
}

/** Opens the folder. */
export const acquireDatabase = (folder: string): Effect.Effect<PgliteBackend, FolderUnusable, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => reopening(folder, await creating(folder, () => open(folder))),
      catch: (cause) => new FolderUnusable({ folder, cause })
    }),
    (database) => Effect.promise(() => database.close())
  )
