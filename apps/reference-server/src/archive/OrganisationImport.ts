/**
 * Imports an archive in two passes: the first checks it as a whole, the second stores it. The
 * organisation is inactive and marked until everything is stored, and a repeated import of the same
 * archive goes on from there.
 */
import type { PgClient } from "@solar-sites/adapter-postgres"
import { DocumentStorage, RepositoryError, storageKey } from "@solar-sites/core"
import { Clock, Effect } from "effect"
import { Failure, messageOf } from "../Failure.ts"
import { type CheckedArchive, checkArchive } from "./ArchiveCheck.ts"
import { fileFolder, type Manifest } from "./ArchiveFormat.ts"
import { entriesOf, linesOf, type ReadEntry } from "./ArchiveReader.ts"
import { type ArchiveRows, archiveRows } from "./ArchiveRows.ts"
import { rowsPerStep } from "./ArchiveStatements.ts"
import { type ArchiveTable, archiveTables, type Line, users } from "./ArchiveTables.ts"
import { storedFiles } from "./StoredFiles.ts"

interface ImportOptions {
  readonly withUsers?: boolean
  /** Called after each step, with the resource and the number of its rows or files so far. */
  readonly onProgress?: (pass: "check" | "store", resource: string, count: number) => void
}

/** Refusals and failures keep their type; all else is a fault of the archive. */
const reading = <A>(path: string, read: () => Promise<A>): Effect.Effect<A, Failure | RepositoryError> =>
  Effect.tryPromise({
    try: read,
    catch: (cause) =>
      cause instanceof Failure || cause instanceof RepositoryError
        ? cause
        : new Failure({ message: `The archive ${path} cannot be read: ${messageOf(cause)}.` })
  })

/** True when an interrupted import of the same archive is to be continued. */
const checkFree = Effect.fnUntraced(function* (
  rows: ArchiveRows,
  { digest, logins, manifest, userIds }: CheckedArchive,
  withUsers: boolean
) {
  const { id } = manifest.organisation
  const storage = yield* DocumentStorage
  const refuse = (why: string) => new Failure({ message: `Nothing was imported: ${why}.` })
  const found = yield* rows.find(id, withUsers ? logins : [], withUsers ? userIds : [])
  if (found === null) return yield* Effect.die("a statement without a row")
  const remove = "delete it first with organisations delete"
  if (found.interrupted !== null && found.interrupted !== digest) {
    return yield* refuse(`an import of another archive of the organisation ${id} was interrupted; ${remove}`)
  }
  const continues = found.interrupted !== null
  if (found.organisation && !continues) return yield* refuse(`there is an organisation with the id ${id} already`)
  if (found.records && !continues) {
    return yield* refuse(`there are records of a deleted organisation with the id ${id}; repeat its deletion`)
  }
  if (found.deletedFiles) {
    return yield* refuse(`files of a deleted organisation with the id ${id} are being deleted; repeat in a few minutes`)
  }
  if (!continues) {
    const { items } = yield* storage
      .list(id, { after: null, limit: 1 })
      .pipe(Effect.mapError(({ message }) => refuse(`the storage cannot be used: ${message}`)))
    if (items.length > 0) return yield* refuse(`the storage has files of an organisation with the id ${id} already`)
  }
  if (found.takenUsers.length > 0)
    return yield* refuse(`there are users with the ids ${found.takenUsers.join(", ")} already`)
  if (found.takenLogins.length > 0) {
    const addresses = found.takenLogins.join(", ")
    return yield* refuse(`users of another organisation have the e-mail addresses ${addresses}; see --without-users`)
  }
  return continues
})

const storeTable = async (
  table: ArchiveTable,
  { body }: ReadEntry,
  store: (lines: ReadonlyArray<Line>) => Promise<unknown>,
  onProgress: (resource: string, count: number) => void
) => {
  let step: Array<Line> = []
  let count = 0
  const flush = async () => {
    await store(step)
    count += step.length
    step = []
    onProgress(table.resource, count)
  }
  for await (const value of linesOf(body)) {
    step.push(table.check(value))
    if (step.length === rowsPerStep) await flush()
  }
  if (step.length > 0) await flush()
}

/** Fails without a change when the archive is damaged or an id is taken. */
export const importOrganisation = Effect.fnUntraced(function* (
  path: string,
  { onProgress = () => {}, withUsers = true }: ImportOptions = {}
): Effect.fn.Return<Manifest, Failure | RepositoryError, PgClient | DocumentStorage> {
  const rows = yield* archiveRows
  const stored = yield* storedFiles
  const archive = yield* reading(path, () =>
    checkArchive(path, (resource, count) => onProgress("check", resource, count))
  )
  const { digest, files, manifest } = archive
  const { organisation } = manifest
  const { id } = organisation
  const continues = yield* checkFree(rows, archive, withUsers)
  if (!continues) yield* rows.begin(id, organisation.name, digest, yield* Clock.currentTimeMillis)
  yield* rows.setState(organisation)

  let fileCount = 0
  const storeFile = async ({ body, name, sizeBytes }: ReadEntry) => {
    const documentId = name.slice(fileFolder.length)
    const file = files.get(documentId)
    if (file === undefined) throw new Error(`${name} has changed since it was checked`)
    const key = storageKey({ organisationId: id, siteId: file.siteId, documentId })
    await Effect.runPromise(stored.write(id, { key, mimeType: file.mimeType, sizeBytes, body }))
    onProgress("store", "files", ++fileCount)
  }
  yield* reading(path, async () => {
    for await (const entry of entriesOf(path)) {
      const table = archiveTables.find(({ resource }) => entry.name === `${resource}.ndjson`)
      if (entry.name.startsWith(fileFolder)) await storeFile(entry)
      if (table === undefined || (table === users && !withUsers)) continue
      const store = (lines: ReadonlyArray<Line>) => Effect.runPromise(rows.insert(id, table, lines))
      await storeTable(table, entry, store, (resource, count) => onProgress("store", resource, count))
    }
  })
  yield* rows.finish(id, organisation.status)
  return manifest
})
