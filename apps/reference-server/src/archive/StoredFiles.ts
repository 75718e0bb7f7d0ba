/**
 * Reads and writes stored files through signed addresses, as clients do. The addresses of a folder
 * are served in process.
 */
import { StorageServer } from "@solar-sites/adapter-filesystem"
import { DocumentStorage, type OrganisationId, type StorageError, type StorageKey } from "@solar-sites/core"
import { DateTime, Effect, Option, Schedule, type Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Failure, messageOf } from "../Failure.ts"

type Body = AsyncIterable<Uint8Array>

/** A file to store, with the length of its body. */
interface StoredFile {
  readonly key: StorageKey
  readonly mimeType: string
  readonly sizeBytes: number
  readonly body: Body
}

const failed = (what: string, why: string) => new Failure({ message: `The storage cannot be used: ${what}: ${why}.` })

const ofStorage = ({ cause, operation }: StorageError) => failed(operation, messageOf(cause))

/** A connection that failed before it had an answer. */
const retries = { times: 3, schedule: Schedule.exponential("200 millis") }

const validity = Effect.map(DateTime.now, (from) => ({ from, until: DateTime.add(from, { minutes: 5 }) }))

/** Sends a request to a signed address. */
type Send = (request: Request) => Effect.Effect<Response, Failure, Scope.Scope>

const overNetwork: Send = (request) =>
  Effect.tryPromise({
    try: (signal) => fetch(request, { signal }),
    catch: (cause) => failed(request.method, messageOf(cause instanceof Error ? (cause.cause ?? cause) : cause))
  })

const inProcess =
  (server: StorageServer["Service"]): Send =>
  (request) =>
    server.app().pipe(
      Effect.map((response) => HttpServerResponse.toWeb(response)),
      Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request)),
      Effect.catch((error) =>
        error._tag === "StorageRefused"
          ? Effect.succeed(new Response(error.detail, { status: error.status }))
          : Effect.fail(ofStorage(error))
      )
    )

export const storedFiles = Effect.gen(function* () {
  const storage = yield* DocumentStorage
  const server = yield* Effect.serviceOption(StorageServer)
  const send = Option.match(server, { onNone: () => overNetwork, onSome: inProcess })

  /** None without a file at the key. The body must be read within the scope. */
  const read = Effect.fnUntraced(function* (organisationId: OrganisationId, key: StorageKey) {
    const url = yield* storage
      .signDownload(organisationId, { key, mimeType: null, filename: null }, yield* validity)
      .pipe(Effect.mapError(ofStorage))
    const response = yield* Effect.retry(send(new Request(url)), retries)
    const length = Number(response.headers.get("content-length") ?? Number.NaN)
    if (response.status === 404) {
      yield* Effect.promise(async () => response.body?.cancel())
      return Option.none()
    }
    if (response.status !== 200 || Number.isNaN(length)) {
      return yield* failed(key, `the answer to a download is ${response.status}`)
    }
    // An empty file may have no body.
    return Option.some({ sizeBytes: length, body: response.body ?? new Blob([]).stream() })
  })

  /** Keeps a file of the same length that is stored already. */
  const write = Effect.fnUntraced(function* (
    organisationId: OrganisationId,
    { body, key, mimeType, sizeBytes }: StoredFile
  ) {
    const stored = yield* storage.inspect(organisationId, key).pipe(Effect.mapError(ofStorage))
    if (Option.isSome(stored)) {
      if (stored.value.sizeBytes === sizeBytes) return
      return yield* failed(key, `it has another file of ${stored.value.sizeBytes} bytes there`)
    }
    const upload = { key, mimeType, sizeBytes, maximumBytes: sizeBytes }
    const [signed] = yield* storage
      .signUploads(organisationId, [upload], yield* validity)
      .pipe(Effect.mapError(ofStorage))
    if (signed === undefined) return yield* failed(key, "no upload address was signed")
    const request = new Request(`${signed.path}?${signed.token}`, {
      method: "PUT",
      headers: { ...signed.headers, "content-length": String(sizeBytes) },
      body: ReadableStream.from(body),
      duplex: "half"
    })
    const response = yield* send(request)
    const answer = yield* Effect.promise(() => response.text())
    if (!response.ok) return yield* failed(key, `the answer to an upload is ${response.status} ${answer.slice(0, 300)}`)
  }, Effect.scoped)

  return { read, write }
})

export type StoredFiles = Effect.Success<typeof storedFiles>
