/**
 * Two organisations with a key each over one memory, and both bindings over it.
 */
import { createServer, type Server } from "node:http"
import {
  ApiKeys,
  type ApiScope,
  Caller,
  type CreateApiKey,
  CurrentCaller,
  type Organisation,
  type OrganisationId,
  Organisations,
  SolarSitesServices,
  WebhookAddressNotAllowed,
  WebhookSender
} from "@solar-sites/core"
import { MemoryAdapters, MemoryDocumentStorage, StorageClient } from "@solar-sites/testing"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { type HttpOptions, toNodeListener, toWebHandler } from "../src/index.ts"
import { undocumented } from "./Documented.ts"

type Everything = SolarSitesServices.SolarSitesPorts | SolarSitesServices.SolarSitesServices | StorageClient

export interface Member {
  readonly organisation: Organisation
  readonly caller: Caller
  readonly key: string
}

export interface Binding {
  /** The address to put before a path. */
  readonly base: string
  readonly send: (request: Request) => Promise<Response>
  readonly close: () => Promise<void>
}

export type Ports = Layer.Layer<SolarSitesServices.SolarSitesPorts>

const callerOf = (organisationId: OrganisationId): Caller =>
  new Caller({ organisationId, userId: null, apiKeyId: null })

/** Accepts addresses of https. All receivers answer 204. */
const sender = Layer.succeed(WebhookSender, {
  check: (url) =>
    url.startsWith("https:") ? Effect.void : Effect.fail(new WebhookAddressNotAllowed({ reason: "must be https" })),
  send: () => Effect.succeed({ status: 204 })
})

// One storage, as the port and as the client of its addresses.
const adapters = Layer.mergeAll(MemoryAdapters.layer, MemoryDocumentStorage.layer, sender)

/** An upload address as it comes over the wire. */
export interface UploadUrl {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** The rules over a memory of their own; `run` gives direct access to them. */
export const makeSetup = async () => {
  const scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(
    Layer.buildWithScope(SolarSitesServices.layer.pipe(Layer.provideMerge(adapters)), scope)
  )
  const run = <A, E>(effect: Effect.Effect<A, E, Everything>): Promise<A> =>
    Effect.runPromise(Effect.provideContext(effect, context))

  const join = (name: string): Promise<Member> =>
    run(
      Effect.gen(function* () {
        const organisation = yield* (yield* Organisations).create({ name })
        const caller = callerOf(organisation.id)
        const create = (yield* ApiKeys).create({ name: "test" })
        const { secret } = yield* Effect.provideService(create, CurrentCaller, caller)
        return { organisation, caller, key: Redacted.value(secret) }
      })
    )
  /** A further key of the member. */
  const newKey = ({ caller }: Member, limits: Omit<CreateApiKey, "name">): Promise<string> =>
    run(
      ApiKeys.use((apiKeys) => apiKeys.create({ name: "limited", ...limits })).pipe(
        Effect.provideService(CurrentCaller, caller),
        Effect.map(({ secret }) => Redacted.value(secret))
      )
    )
  /** The same with these scopes. */
  const keyWith = (member: Member, ...scopes: ReadonlyArray<ApiScope>): Promise<string> => newKey(member, { scopes })
  /** Status of the storage for an upload. */
  const put = ({ headers, url }: UploadUrl, text: string): Promise<number> =>
    run(
      Effect.flatMap(StorageClient, (client) => client.put({ url, headers, body: new TextEncoder().encode(text) }))
    ).then(({ status }) => status)
  const fetchFile = async (url: string) => {
    const { body, headers, status } = await run(Effect.flatMap(StorageClient, (client) => client.get(url)))
    return { status, headers, text: new TextDecoder().decode(body) }
  }
  const ports: Ports = Layer.succeedContext(context)
  return {
    context,
    ports,
    run,
    join,
    keyWith,
    newKey,
    put,
    fetchFile,
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

export type Setup = Awaited<ReturnType<typeof makeSetup>>

export const webBinding = (ports: Ports, options?: HttpOptions): Binding => {
  const { dispose, handler } = toWebHandler(ports, options)
  return { base: "http://localhost", send: handler, close: dispose }
}

export const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

export const closed = (server: Server): Promise<void> => {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  return ended
}

export const nodeBinding = async (
  ports: Ports,
  options?: HttpOptions
): Promise<Binding & { readonly port: number }> => {
  const solar = toNodeListener(ports, options)
  // Client and server share a thread: while it is busy for 5 s, a connection would be closed that the client uses again.
  const server = createServer({ keepAliveTimeout: 0 }, solar.listener).on("checkContinue", solar.checkContinue)
  const port = await listening(server)
  const close = async () => {
    const ended = closed(server)
    await solar.close()
    // The client keeps one for 4 s that has had no request, which Node does not count as idle.
    server.closeAllConnections()
    await ended
  }
  return { port, base: `http://127.0.0.1:${port}`, send: (request) => fetch(request), close }
}

export const bindings = {
  "the fetch handler": (ports: Ports, options?: HttpOptions) => Promise.resolve(webBinding(ports, options)),
  "the Node listener": (ports: Ports, options?: HttpOptions): Promise<Binding> => nodeBinding(ports, options)
} as const

export interface Call {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, with the media type, unless it is text or bytes. */
  readonly body?: unknown
  readonly redirect?: "follow" | "manual"
}

type Body = string | ReadableStream | Uint8Array<ArrayBuffer> | null

const encode = (body: unknown): Body => {
  if (body === undefined) return null
  if (typeof body === "string" || body instanceof ReadableStream) return body
  return body instanceof Uint8Array ? Uint8Array.from(body) : JSON.stringify(body)
}

/**
 * Sends `"POST /api/sites"` with a key and gives the answer with its parsed body.
 * Fails unless the response is one of the OpenAPI document.
 */
export const caller =
  ({ base, send }: Binding, key: string | null) =>
  async (line: string, { body, headers, redirect = "follow" }: Call = {}) => {
    const [method = "GET", path = "/"] = line.split(" ")
    const all = {
      ...(key === null ? {} : { "x-api-key": key }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    }
    const response = await send(
      new Request(`${base}${path}`, { method, headers: all, body: encode(body), duplex: "half", redirect })
    )
    const text = await response.text()
    const { pathname } = new URL(`http://localhost${path}`)
    const faults = undocumented(method, pathname, { status: response.status, headers: response.headers, text })
    if (faults.length > 0) throw new Error(`${line} is answered with what is not documented: ${faults.join("; ")}`)
    const json =
      response.headers.get("content-type")?.includes("json") === true && text !== "" ? JSON.parse(text) : null
    return { status: response.status, headers: response.headers, text, json }
  }

export type Send = ReturnType<typeof caller>

export const aNewSite = { siteName: "Long Meadow", capacity: 1.2, unit: "MW" }

/** An upload request for files with these names. */
export const uploadsOf = (siteId: string, ...filenames: ReadonlyArray<string>) => ({
  siteId,
  fileType: "documents",
  files: filenames.map((filename) => ({ filename, mimeType: "text/plain" }))
})

/** The UUID of no resource. */
export const unknownId = "0197a3b0-7000-7000-8000-0000000000ff"
