/**
 * Clients of a setup, and of scripted responses.
 */
import { StorageClient } from "@solar-sites/testing"
import { Clock, Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { type ClientOptions, type Fetch, makeClient } from "../src/client/index.ts"
import { describeProblem, type ProblemCode, problemMediaType } from "../src/contract/index.ts"
import type { HttpOptions } from "../src/index.ts"
import { type Binding, type Setup, webBinding } from "./Setup.ts"

/** A random text in the form of a key. */
export const aKey = () => `sk_live_${crypto.randomUUID().replaceAll("-", "")}`

/** A client of a bound server. */
export const clientOf = ({ base, send }: Binding, apiKey: string, options: Partial<ClientOptions> = {}) =>
  makeClient({ baseUrl: base, apiKey, fetch: send, ...options })

/** A request that was sent. */
interface Seen {
  readonly line: string
  readonly headers: Headers
  readonly body: string
  /** Epoch milliseconds of the clock of the test. */
  readonly at: number
}

export const refusal = (code: ProblemCode, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ ...describeProblem(code), requestId: "request-1", errors: [] }), {
    status: describeProblem(code).status,
    headers: { "content-type": problemMediaType, ...headers }
  })

export const success = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } })

export type Scripted = Response | Error | ((request: Request) => Promise<Response>)

/** A `fetch` that returns these responses in order and records the requests. */
export const scripted = (...answers: ReadonlyArray<Scripted>) => {
  const seen: Array<Seen> = []
  const rest = answers.values()
  const fetch: Fetch = async (request) => {
    const { pathname, search } = new URL(request.url)
    const line = `${request.method} ${pathname}${search}`
    seen.push({ line, headers: request.headers, body: await request.text(), at: Date.now() })
    const { value } = rest.next()
    if (value === undefined) throw new Error(`unexpected request: ${line}`)
    if (value instanceof Error) throw value
    return typeof value === "function" ? value(request) : value
  }
  return { fetch, seen }
}

/** A client that receives these responses. */
export const scriptedClient = (answers: ReadonlyArray<Scripted>, options: Partial<ClientOptions> = {}) => {
  const { fetch, seen } = scripted(...answers)
  return { client: makeClient({ baseUrl: "http://localhost", apiKey: aKey(), fetch, ...options }), seen }
}

/** The error that a promise rejects with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => Promise.reject(new Error("expected a rejection")),
    (error: unknown) => error
  )

/** The fetch handler of a setup and its storage, with a test clock. */
export const withStorage = (setup: Setup, options: HttpOptions = {}) => {
  const clock = Effect.runSync(Effect.scoped(TestClock.make()))
  const binding = webBinding(Layer.mergeAll(setup.ports, Layer.succeed(Clock.Clock, clock), Logger.layer([])), options)
  const puts: Array<number> = []
  const fetch: Fetch = async (request) => {
    const { url } = request
    if (url.startsWith(binding.base)) return binding.send(request)
    const body = new Uint8Array(await request.arrayBuffer())
    const put = Effect.flatMap(StorageClient, (client) =>
      client.put({ url, headers: Object.fromEntries(request.headers), body })
    )
    const { status } = await setup.run(Effect.provideService(put, Clock.Clock, clock))
    puts.push(status)
    return new Response(null, { status })
  }
  const download = async (url: string) => {
    const get = Effect.flatMap(StorageClient, (client) => client.get(url))
    const { body, headers, status } = await setup.run(Effect.provideService(get, Clock.Clock, clock))
    return { status, name: headers["content-disposition"], text: new TextDecoder().decode(body) }
  }
  const advance = (seconds: number) => Effect.runPromise(clock.adjust({ seconds }))
  return { binding, fetch, puts, download, advance }
}
