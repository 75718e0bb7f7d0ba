import {
  DocumentStorage,
  DocumentSweeper,
  type OrganisationId,
  OrganisationNotFound,
  Organisations,
  type RepositoryError,
  type StorageKey,
  storageKey
} from "@solar-sites/core"
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { operatorOf } from "../accounts/people/Authority.ts"
import { listUsers } from "../accounts/people/Users.ts"
import { type ArchiveRows, archiveRows } from "../archive/ArchiveRows.ts"
import { Failure } from "../Failure.ts"
import { confirm, json, organisationId } from "./Input.ts"
import { printOne } from "./Output.ts"
import { withStorage } from "./Services.ts"

/** Deletes stored files of deleted documents until none is due. */
const sweepFiles = Effect.flatMap(DocumentSweeper, ({ sweep }) => Effect.repeat(sweep, { while: ({ more }) => more }))

const filesPerStep = 1_000

const deleteFiles = (id: OrganisationId, keys: ReadonlyArray<StorageKey>) =>
  Effect.mapError(
    DocumentStorage.use((storage) => storage.delete(id, keys)),
    ({ message }) => new Failure({ message: `The files could not be deleted: ${message}. Repeat the command.` })
  )

/** An interrupted import has stored files without documents. Its mark goes with the organisation. */
const deleteImportedFiles = Effect.fnUntraced(function* (
  id: OrganisationId
): Effect.fn.Return<void, Failure, DocumentStorage> {
  const storage = yield* DocumentStorage
  while (true) {
    const { items } = yield* storage
      .list(id, { after: null, limit: filesPerStep })
      .pipe(Effect.mapError(({ message }) => new Failure({ message: `The files could not be listed: ${message}.` })))
    if (items.length === 0) return
    yield* deleteFiles(
      id,
      items.map(({ key }) => key)
    )
  }
})

/** The sweeper skips files that an interrupted deletion has claimed. */
const deleteListedFiles = Effect.fnUntraced(function* (
  rows: ArchiveRows,
  id: OrganisationId
): Effect.fn.Return<void, Failure | RepositoryError, DocumentStorage> {
  let after: string | null = null
  while (true) {
    const files: Effect.Success<ReturnType<ArchiveRows["deletedFiles"]>> = yield* rows.deletedFiles(id, after)
    if (files.length === 0) return
    yield* deleteFiles(
      id,
      files.map((file) => storageKey({ organisationId: id, ...file }))
    )
    after = files.at(-1)?.documentId ?? null
  }
})

const checkName = (id: OrganisationId, name: string, confirm: string): Effect.Effect<void, Failure> =>
  name === confirm
    ? Effect.void
    : Effect.fail(
        new Failure({
          message: `Nothing was deleted: the organisation ${id} is called ${JSON.stringify(name)}, not ${JSON.stringify(confirm)}.`
        })
      )

const orNone = <A>(effect: Effect.Effect<A, OrganisationNotFound | RepositoryError>) =>
  effect.pipe(
    Effect.asSome,
    Effect.catchTag("OrganisationNotFound", () => Effect.succeedNone)
  )

const nothing = { documents: 0, sites: 0, portfolios: 0, apiKeys: 0 }

/**
 * Deletes everything. Without the row of the organisation, an interrupted deletion has left records or listed files
 * only.
 */
const deleteAll = Effect.fnUntraced(function* (id: OrganisationId, confirm: string) {
  const organisations = yield* Organisations
  const rows = yield* archiveRows
  const found = yield* orNone(organisations.get(id))
  if (Option.isSome(found)) yield* checkName(id, found.value.name, confirm)
  const left = yield* rows.find(id, [], [])
  const users = yield* Effect.flatMap(listUsers, (list) => list(operatorOf(id)))
  if (left !== null && left.interrupted !== null) yield* deleteImportedFiles(id)
  const removed = yield* orNone(organisations.delete(id))
  yield* sweepFiles
  yield* deleteListedFiles(rows, id)
  if (Option.isNone(found) && left?.records !== true) return yield* new OrganisationNotFound({ organisationId: id })
  return { name: confirm, ...Option.getOrElse(removed, () => nothing), users: users.length }
})

export const deleteCommand = Command.make(
  "delete",
  { organisationId, confirm, json },
  Effect.fnUntraced(function* ({ confirm, json, organisationId }) {
    const document = { id: organisationId, ...(yield* deleteAll(organisationId, confirm)) }
    yield* printOne(json, "Organisation deleted.", document)
  }, withStorage)
).pipe(Command.withDescription("Delete an organisation with everything in it, stored files included"))
