/** Imports of sites from files: columns, check, import, and the latest imports. */
import type { PgClient } from "@solar-sites/adapter-postgres"
import { CallerLimited, IdGenerator, instantText, type OrganisationId, ValidationFailed } from "@solar-sites/core"
import { type HostEndpoint, type HostEndpointRequest, HostRefused, hostGroup, reply } from "@solar-sites/http-node"
import { describeProblem } from "@solar-sites/http-node/contract"
import { Effect, type Scope, Semaphore } from "effect"
import { HttpServerResponse } from "effect/http"
import { Failure } from "../../Failure.ts"
import { previewColumns } from "../../import/ColumnPreview.ts"
import { reportOf } from "../../import/FaultReport.ts"
import type { ImportServices } from "../../import/ImportServices.ts"
import { writeMarkedFile } from "../../import/MarkedFile.ts"
import { importedMembers, portfolioColumn } from "../../import/MemberNames.ts"
import { importSites } from "../../import/SiteImport.ts"
import { type ImportFault, UnreadableTable } from "../../import/Table.ts"
import { openTable, ReadingEnded } from "../../import/TableReader.ts"
import type { Access } from "../Access.ts"
import { overloaded, problems } from "../ConsoleProblems.ts"
import { ImportFilesApi, type ImportOptions, ImportsApi } from "../contract/ImportsApi.ts"
import { accountIdOr, CurrentSession, withSession } from "../WithSession.ts"
import { importRuns } from "./ImportRuns.ts"
import { type StoredImport, siteImportStore } from "./SiteImportStore.ts"

/** Files are kept in memory. */
const maximumFileBytes = 16 * 1_048_576

/** A workbook is larger as CSV. */
const maximumMarkedBytes = 2 * maximumFileBytes

/** Requests with a file at the same time, in the process and of one organisation. */
const maximumRequests = 8
const maximumRequestsOfOne = 2

/**
 * Threads that read files for a request at the same time. The files have arrived, so that no slow
 * client holds a place.
 */
const maximumReading = 4

const keyReused = new HostRefused(describeProblem("idempotency_key_reused"))

/** Bounds the files in memory. A refused request has read no byte of its body. */
const makePlaces = () => {
  const held = new Map<OrganisationId, number>()
  let total = 0
  const add = (organisationId: OrganisationId, change: 1 | -1) => {
    const count = (held.get(organisationId) ?? 0) + change
    total += change
    if (count === 0) held.delete(organisationId)
    else held.set(organisationId, count)
  }
  return <A, E, R>(organisationId: OrganisationId, use: Effect.Effect<A, E, R>): Effect.Effect<A, E | HostRefused, R> =>
    Effect.suspend((): Effect.Effect<A, E | HostRefused, R> => {
      if (total >= maximumRequests || (held.get(organisationId) ?? 0) >= maximumRequestsOfOne) return overloaded
      add(organisationId, 1)
      return Effect.ensuring(
        use,
        Effect.sync(() => add(organisationId, -1))
      )
    })
}

const placing: ReadonlyArray<string | null> = [portfolioColumn, "portfolioId"]

/** A limited user says which portfolios the sites come into, before its file is read. */
const requirePortfolio = ({ mappings, portfolioId }: ImportOptions) =>
  Effect.flatMap(CurrentSession, ({ user }) =>
    user.portfolioIds === null || portfolioId !== undefined || mappings.some(({ target }) => placing.includes(target))
      ? Effect.void
      : Effect.fail(new CallerLimited())
  )

/** How the file is read. */
const readOptions = ({ fileName, ...options }: ImportOptions) => options

const idIn = accountIdOr(problems.import_not_found)

const documentOf = ({ attempt, fingerprint, options, seed, startedAt, updatedAt, ...stored }: StoredImport) => ({
  ...stored,
  upsert: options.upsert,
  ...(options.portfolioId === undefined ? {} : { portfolioId: options.portfolioId }),
  mappings: options.mappings.map(({ column, target }) => ({ column, target: target ?? "-" })),
  startedAt: instantText(startedAt),
  updatedAt: instantText(updatedAt)
})

const tooLargeAsCsv = Effect.fail(
  new UnreadableTable("too_large", `has more than ${maximumMarkedBytes} bytes as CSV; use the report`)
)

const refuseUnreadable = <A, E, R>(read: Effect.Effect<A, E | UnreadableTable, R>) =>
  Effect.mapError(read, (error) =>
    error instanceof UnreadableTable ? fileRefused(error.fault.code, error.fault.detail) : error
  )

const fileRefused = (code: string, detail: string) => new ValidationFailed({ faults: [{ pointer: "", code, detail }] })

/** Imports run until the scope closes. */
export const importEndpoints = (
  access: Access
): Effect.Effect<ReadonlyArray<HostEndpoint>, never, PgClient | ImportServices | Scope.Scope> =>
  Effect.gen(function* () {
    const store = yield* siteImportStore
    const start = yield* importRuns(store)
    const services = yield* Effect.context<ImportServices>()
    const nextId = yield* IdGenerator
    const inPlace = makePlaces()
    const asUser = withSession(access)

    /** Takes a place before the file is read, and for users who may import. */
    const withPlace: typeof asUser = (incoming, endpoint, serve) =>
      asUser(
        incoming,
        endpoint,
        Effect.flatMap(CurrentSession, ({ organisation }) => inPlace(organisation.id, serve))
      )

    const reading = yield* Semaphore.make(maximumReading)

    /**
     * Waits for the file, then for a place to read it. Changes nothing, so it ends with the
     * connection.
     */
    const withFile = <A, E, R>(
      { readBytes }: HostEndpointRequest,
      use: (content: Uint8Array) => Effect.Effect<A, E | ReadingEnded | Failure, R>
    ) =>
      Effect.flatMap(readBytes(maximumFileBytes), (content) => reading.withPermits(1)(use(content))).pipe(
        Effect.catchIf(
          (error) => error instanceof ReadingEnded,
          ({ code, detail }) => fileRefused(code, detail)
        ),
        // The content is in memory, so no file can be missing.
        Effect.catchIf((error) => error instanceof Failure, Effect.die),
        Effect.interruptible
      )

    /** In memory, so that a slow client holds no thread. */
    const markedFile = Effect.fnUntraced(function* (content: Uint8Array, options: Omit<ImportOptions, "fileName">) {
      const { faults } = yield* importSites(content, { ...options, dryRun: true })
      const parts: Array<Buffer> = []
      let size = 0
      yield* writeMarkedFile(content, faults, (text) => {
        const part = Buffer.from(text)
        size += part.byteLength
        parts.push(part)
        return size > maximumMarkedBytes ? tooLargeAsCsv : Effect.void
      })
      return Buffer.concat(parts)
    })

    const files = hostGroup(ImportFilesApi, withPlace, {
      columns: ({ incoming }) =>
        withFile(incoming, (content) => Effect.scoped(Effect.flatMap(openTable(content), previewColumns))).pipe(
          Effect.map((found) => ({ columns: found, faults: [] as ReadonlyArray<ImportFault> })),
          // Faults of a form that cannot be read are an answer, as those of rows are.
          Effect.catchIf(
            (error) => error instanceof UnreadableTable,
            ({ fault }) => Effect.succeed({ columns: [], faults: [fault] })
          ),
          Effect.map((found) => reply({ ...found, members: importedMembers }))
        ),
      check: Effect.fnUntraced(function* ({ incoming, query: { options } }) {
        yield* requirePortfolio(options)
        const { dryRun, ...result } = yield* withFile(incoming, (content) =>
          importSites(content, { ...readOptions(options), dryRun: true })
        ).pipe(Effect.provideContext(services))
        const report = result.faultCount === 0 ? null : reportOf(result.faults)
        return reply({ importId: yield* nextId, ...result, report })
      }),
      markFaults: Effect.fnUntraced(function* ({ incoming, query: { options } }) {
        yield* requirePortfolio(options)
        const file = yield* withFile(incoming, (content) => markedFile(content, readOptions(options))).pipe(
          Effect.provideContext(services),
          refuseUnreadable
        )
        return HttpServerResponse.uint8Array(file, { contentType: "text/csv; charset=utf-8" })
      }),
      start: Effect.fnUntraced(function* ({ incoming, params, query }) {
        const { fileName, ...options } = query.options
        const id = yield* idIn(params)
        yield* requirePortfolio(query.options)
        const { user } = yield* CurrentSession
        const file = yield* withFile(incoming, (content) =>
          Effect.scoped(Effect.map(openTable(content), ({ digest }) => ({ content, digest })))
        ).pipe(refuseUnreadable)
        const started = yield* start({ ...file, fileName, options, id, userId: user.id })
        switch (started._tag) {
          case "Busy":
            return yield* problems.import_running
          case "Overloaded":
            return yield* overloaded
          case "Reused":
            return yield* keyReused
          case "Accepted":
            return reply(documentOf(started.stored), { status: 202 })
        }
      })
    })

    const latest = hostGroup(ImportsApi, asUser, {
      list: Effect.fnUntraced(function* () {
        const { organisation, user } = yield* CurrentSession
        // Names of files and counts tell of sites that a limited user does not see.
        const userId = user.portfolioIds === null ? null : user.id
        return reply({ data: (yield* store.list(organisation.id, { userId })).map(documentOf) })
      })
    })

    return [...files, ...latest]
  })
