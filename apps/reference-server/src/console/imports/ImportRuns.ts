/**
 * Runs imports of users in the background, whether the client waits or not. Each step is recorded,
 * so that an interrupted import can be continued with the same file, on every server.
 */
import { hash } from "node:crypto"
import { CurrentCaller, IdGenerator, type RepositoryError } from "@solar-sites/core"
import { Cause, Effect, Exit } from "effect"
import { Failure } from "../../Failure.ts"
import type { ImportServices } from "../../import/ImportServices.ts"
import { type ImportResult, importSites } from "../../import/SiteImport.ts"
import { ReadingEnded } from "../../import/TableReader.ts"
import type { SiteImportStore, StoredImport } from "./SiteImportStore.ts"

/** Imports that run at the same time in one process; each has its file in memory and a thread that reads it. */
const maximumRunning = 2

export interface ImportInput extends Pick<StoredImport, "id" | "userId" | "fileName" | "options"> {
  readonly content: Uint8Array
  /** Identifies the content. */
  readonly digest: string
}

/**
 * - `Accepted`: the import has begun, is running, or was completed by an earlier request.
 * - `Busy`: another import of the organisation is running.
 * - `Overloaded`: too many imports are running in this process.
 * - `Reused`: another file or other options have the id.
 */
type Start =
  | { readonly _tag: "Accepted"; readonly stored: StoredImport }
  | { readonly _tag: "Busy" | "Overloaded" | "Reused" }

const notAllowed = new Failure({
  message: "The import ended: its user may not import these sites any more, or a later import has begun."
})

const problemOf = ({ faultCount }: ImportResult): string | null =>
  faultCount === 0 ? null : `Other changes since the check leave ${faultCount} faults in the file. Check it again.`

const failureText = <E>(cause: Cause.Cause<E>): string => {
  if (Cause.hasInterruptsOnly(cause)) return "The server was stopped."
  const error = Cause.squash(cause)
  if (error instanceof ReadingEnded) return `The file ${error.detail}.`
  return error instanceof Failure ? error.message : "The server could not store the rows."
}

/**
 * Makes the function that starts imports, which run until the scope closes. The caller needs the scopes of an import.
 * An import that has ended early goes on.
 */
export const importRuns = Effect.fnUntraced(function* (store: SiteImportStore) {
  const services = yield* Effect.context<ImportServices>()
  const scope = yield* Effect.scope
  const nextId = yield* IdGenerator
  let running = 0
  const leave = Effect.sync(() => {
    running -= 1
  })

  const attempt = Effect.fnUntraced(function* (input: ImportInput, begun: StoredImport) {
    const { organisationId, portfolioIds } = yield* CurrentCaller
    const { created, seed, storedRow, unchanged, updated } = begun
    let checkedRow = begun.checkedRow
    let stored = storedRow
    const result = yield* importSites(input.content, {
      ...input.options,
      dryRun: false,
      run: { seed, storedRow, counts: { created, updated, unchanged } },
      onProgress: Effect.fnUntraced(function* (pass, row, counts) {
        if (pass === "check") checkedRow = row
        else stored = row
        const progress = { checkedRow, storedRow: stored, ...counts }
        const goesOn = yield* store.progress(organisationId, begun, progress, portfolioIds ?? null)
        if (!goesOn) return yield* notAllowed
      })
    })
    return problemOf(result)
  })

  const record = Effect.fnUntraced(
    function* (begun: StoredImport, exit: Exit.Exit<string | null, unknown>) {
      const { organisationId } = yield* CurrentCaller
      if (Exit.isFailure(exit)) yield* Effect.logWarning("import of sites failed", exit.cause)
      yield* store.finish(organisationId, begun, Exit.isSuccess(exit) ? exit.value : failureText(exit.cause))
    },
    Effect.catchCause((cause) => Effect.logWarning("end of an import was not recorded", cause))
  )

  const run = (input: ImportInput, begun: StoredImport) =>
    attempt(input, begun).pipe(
      // Also when it is interrupted.
      Effect.onExit((exit) => record(begun, exit)),
      Effect.ensuring(leave),
      Effect.provideContext(services)
    )

  return Effect.fn("ImportRuns.start")(function* (
    input: ImportInput
  ): Effect.fn.Return<Start, RepositoryError, CurrentCaller> {
    const { organisationId } = yield* CurrentCaller
    const { digest, fileName, id, options, userId } = input
    const { mappings, portfolioId, upsert } = options
    const read = [digest, mappings, upsert, ...(portfolioId === undefined ? [] : [portfolioId])]
    const fingerprint = hash("sha256", JSON.stringify(read))
    if (running >= maximumRunning) return { _tag: "Overloaded" }
    running += 1
    const begun = yield* store
      .begin(organisationId, { id, userId, fileName, options, fingerprint, seed: yield* nextId })
      .pipe(Effect.onExit((exit) => (Exit.isSuccess(exit) && exit.value !== null ? Effect.void : leave)))
    if (begun !== null) {
      yield* Effect.forkIn(run(input, begun), scope)
      return { _tag: "Accepted", stored: begun }
    }
    const [found] = yield* store.list(organisationId, { id })
    if (found === undefined) return { _tag: "Busy" }
    return found.fingerprint === fingerprint ? { _tag: "Accepted", stored: found } : { _tag: "Reused" }
  })
})
