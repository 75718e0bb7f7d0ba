/**
 * Normalised responses: without new ids, instants, versions and signatures.
 */
import type { Running } from "../contestants/processes.ts"
import type { Fixture } from "../services/database/fixture.ts"
import type { WorkloadRequest } from "../workloads.ts"

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | null>>
  readonly body: string
}

const comparedHeaders = [
  "content-type",
  "cache-control",
  "x-content-type-options",
  "etag",
  "location",
  "www-authenticate"
]

const normalised = (text: string, known: ReadonlySet<string>): string =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => (known.has(id) ? id : "ID"))
    .replace(/"lastUsedAt":("[^"]+"|null)/g, '"lastUsedAt":"INSTANT"')
    .replace(/"(?!2026-01-01T00:00:00.123Z|2126-)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"INSTANT"')
    .replace(/X-Amz-Credential=access%2F\d{8}/g, "X-Amz-Credential=access%2FDAY")
    .replace(/X-Amz-Date=\d{8}T\d{6}Z/g, "X-Amz-Date=INSTANT")
    .replace(/X-Amz-Signature=[0-9a-f]{64}/g, "X-Amz-Signature=SIGNATURE")
    .replace(/"version":\d+/g, '"version":0')

/** Sends the request unchanged. */
export const send = ({ origin }: Running, { body, headers, method, path }: WorkloadRequest): Promise<Response> =>
  fetch(`${origin}${path}`, body === undefined ? { method, headers } : { method, headers, body })

/** Normalises text, except for ids of the fixture. */
export const normaliser = ({ mover, others, reader, writer }: Fixture): ((text: string) => string) => {
  const places = [reader, writer, mover, ...others]
  const known = new Set(places.flatMap(({ portfolioIds, siteIds }) => [...portfolioIds, ...siteIds]))
  return (text) => normalised(text, known)
}

/** Sends requests and normalises the responses. */
export const makeAsk = (fixture: Fixture): ((to: Running, request: WorkloadRequest) => Promise<Answer>) => {
  const normalise = normaliser(fixture)
  return async (to, request) => {
    const response = await send(to, request)
    const headers = comparedHeaders.map((name) => {
      const value = response.headers.get(name)
      // Frameworks may add a charset parameter to JSON.
      if (name === "content-type") return [name, value?.replace(/; charset=utf-8$/, "") ?? null]
      // Only Solar Sites has tags of lists; fetch accepts content codings.
      if (name === "etag" && value?.startsWith("W/")) return [name, null]
      return [name, value && normalise(value).replace(/^"\d+"$/, '"0"')]
    })
    const body = normalise(await response.text())
    return { status: response.status, headers: Object.fromEntries(headers), body }
  }
}
