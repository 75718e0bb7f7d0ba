/**
 * Exports an organisation into one archive. The rows are those of one instant: they are read again
 * when the organisation changed meanwhile. Files follow.
 */
import { createReadStream } from "node:fs"
import { access, appendFile, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline/promises"
import { Readable } from "node:stream"
import type { PgClient } from "@solar-sites/adapter-postgres"
import {
  type DocumentStorage,
  type OrganisationId,
  OrganisationNotFound,
  type RepositoryError,
  statesWithFile,
  storageKey
} from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { Failure, messageOf } from "../Failure.ts"
import { type ArchiveEntry, fileFolder, formatVersion, type Manifest, manifestName } from "./ArchiveFormat.ts"
import { type ArchiveRows, archiveRows } from "./ArchiveRows.ts"
import { type ArchiveTable, archiveTables, documentTable, type Line, tablesBeforeFiles } from "./ArchiveTables.ts"
import { type ArchiveWriter, makeArchiveWriter } from "./ArchiveWriter.ts"
import { type StoredFiles, storedFiles } from "./StoredFiles.ts"

interface ArchiveOptions {
  /** Called after each step, with the resource and the number of its rows or files so far. */
  readonly onProgress?: (resource: string, count: number) => void
}

/** Attempts to read all rows without a change in between. */
const attempts = 5

const statusesWithFile = new Set<string>(statesWithFile)

const io = <A>(what: string, attempt: () => Promise<A>): Effect.Effect<A, Failure> =>
  Effect.tryPromise({
    try: attempt,
    catch: (cause) => new Failure({ message: `${what}: ${messageOf(cause)}.` })
  })

/** A folder beside the archive, so that the finished archive is renamed within one file system. */
const workFolder = (to: string) =>
  Effect.acquireRelease(
    io(`The archive ${to} cannot be written`, () => mkdtemp(join(dirname(to), ".solar-sites-export-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )

const pathOf = (folder: string, { resource }: ArchiveTable) => join(folder, `${resource}.ndjson`)

/** Writes the rows of a table to its own file; succeeds with their number. */
const readTable = Effect.fnUntraced(function* (
  rows: ArchiveRows,
  id: OrganisationId,
  table: ArchiveTable,
  folder: string,
  { onProgress }: ArchiveOptions
): Effect.fn.Return<number, Failure | RepositoryError> {
  const path = pathOf(folder, table)
  yield* io(path, () => writeFile(path, "", { mode: 0o600 }))
  let count = 0
  let after: string | null = null
  while (true) {
    const lines: ReadonlyArray<Line> = yield* rows.read(id, table, after)
    if (lines.length === 0) return count
    yield* io(path, () => appendFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join("")))
    count += lines.length
    if (count > table.maximumRows) {
      const { maximumRows, resource } = table
      return yield* new Failure({ message: `Nothing was exported: an archive has at most ${maximumRows} ${resource}.` })
    }
    after = String(lines.at(-1)?.[table.key])
    onProgress?.(table.resource, count)
  }
})

/** Each change of an organisation moves its last sequence, so equal states have no change between them. */
const readRows = Effect.fnUntraced(function* (
  rows: ArchiveRows,
  id: OrganisationId,
  folder: string,
  options: ArchiveOptions
) {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = yield* rows.state(id)
    if (before === null) return yield* new OrganisationNotFound({ organisationId: id })
    const counts: Record<string, number> = {}
    for (const table of archiveTables) counts[table.resource] = yield* readTable(rows, id, table, folder, options)
    if (JSON.stringify(yield* rows.state(id)) === JSON.stringify(before)) return { organisation: before, counts }
  }
  return yield* new Failure({
    message: "Nothing was exported: the organisation changed during each attempt; deactivate it first."
  })
})

const addFiles = Effect.fnUntraced(function* (
  id: OrganisationId,
  folder: string,
  files: StoredFiles,
  writer: ArchiveWriter,
  { onProgress }: ArchiveOptions
) {
  const entries: Array<ArchiveEntry> = []
  const missing: Array<string> = []
  const addFile = Effect.fnUntraced(function* (line: string) {
    const { id: documentId, siteId, status } = Object(JSON.parse(line))
    const found = yield* files.read(id, storageKey({ organisationId: id, siteId, documentId }))
    if (Option.isSome(found)) {
      const name = `${fileFolder}${documentId}`
      const { body, sizeBytes } = found.value
      entries.push(yield* io(`The file ${documentId} cannot be exported`, () => writer.add(name, sizeBytes, body)))
      onProgress?.("files", entries.length)
    } else if (statusesWithFile.has(status)) missing.push(documentId)
  }, Effect.scoped)

  const lines = createInterface({ input: createReadStream(pathOf(folder, documentTable)) })[Symbol.asyncIterator]()
  while (true) {
    const next = yield* io("The documents cannot be read", () => lines.next())
    if (next.done === true) return { entries, missing }
    yield* addFile(next.value)
  }
})

/**
 * `to` must not exist; it appears when the archive is complete. The manifest lists documents with no
 * file in the storage. Fails with `OrganisationNotFound` for an unknown organisation.
 */
export const exportOrganisation = Effect.fnUntraced(function* (
  id: OrganisationId,
  to: string,
  options: ArchiveOptions = {}
): Effect.fn.Return<Manifest, Failure | OrganisationNotFound | RepositoryError, PgClient | DocumentStorage> {
  const exists = yield* Effect.promise(() =>
    access(to).then(
      () => true,
      () => false
    )
  )
  if (exists) return yield* new Failure({ message: `Nothing was exported: ${to} exists already.` })
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const files = yield* storedFiles
      const folder = yield* workFolder(to)
      const { counts, organisation } = yield* readRows(yield* archiveRows, id, folder, options)

      const exportedAt = yield* DateTime.now
      const part = join(folder, "archive.tar.gz")
      const writer = makeArchiveWriter(part, DateTime.toDateUtc(exportedAt))
      const failure = `The archive ${to} cannot be written`
      const addTable = (table: ArchiveTable) =>
        io(failure, async () => {
          const path = pathOf(folder, table)
          return writer.add(`${table.resource}.ndjson`, (await stat(path)).size, createReadStream(path))
        })
      const before = yield* Effect.forEach(tablesBeforeFiles, addTable)
      const { entries, missing } = yield* addFiles(id, folder, files, writer, options)
      const manifest: Manifest = {
        format: "solar-sites-organisation",
        formatVersion,
        exportedAt: DateTime.formatIso(exportedAt),
        organisation,
        counts: { ...counts, files: entries.length },
        missingFiles: missing,
        entries: [...before, ...entries, yield* addTable(documentTable)]
      }
      const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
      yield* io(failure, async () => {
        await writer.add(manifestName, text.length, Readable.from([text]))
        await writer.end()
        await rename(part, to)
      })
      return manifest
    })
  )
})
