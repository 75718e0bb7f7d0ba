/**
 * Reads a JSON body: media type, then size, then JSON (specification, sections 7 and 8). Runs after
 * authentication.
 */
import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import { maximumBodyBytes } from "../contract/BodyLimits.ts"
import { isNodeRequest, readNodeBody } from "./NodeBody.ts"
import { type Refused, refuse } from "./Refused.ts"

const maximumDepth = 32
// No operation takes more members and items. Each costs microseconds, and a body above the default
// size could hold a million of them.
const maximumValues = 150_000

const isJsonInUtf8 = (contentType: string | undefined): boolean => {
  const [mediaType = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim().toLowerCase())
  return (
    mediaType === "application/json" &&
    parameters.every((parameter) => !parameter.startsWith("charset") || /^charset="?utf-8"?$/.test(parameter))
  )
}

const isUncoded = (contentEncoding: string | undefined): boolean =>
  contentEncoding === undefined || contentEncoding.trim().toLowerCase() === "identity"

/** `deep`: arrays and objects are nested deeper than allowed; `JSON.parse` has no limit. */
const excessOf = (text: string): "deep" | "large" | undefined => {
  let valuesLeft = text.length > maximumBodyBytes ? maximumValues : text.length
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (inString) {
      if (character === 0x5c) index++
      else if (character === 0x22) inString = false
    } else if (character === 0x22) inString = true
    else if (character === 0x5b || character === 0x7b) {
      if (++depth > maximumDepth) return "deep"
    } else if (character === 0x5d || character === 0x7d) depth--
    else if (character === 0x2c && --valuesLeft <= 0) return "large"
  }
  return undefined
}

// Shared: a fatal decoder without streaming has no state.
const utf8 = new TextDecoder("utf-8", { fatal: true })

const malformed = (detail: string) => refuse("malformed_json", { detail })

const cutOff = malformed("The body ended early.")

const parse = (bytes: Uint8Array): Effect.Effect<unknown, Refused> => {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return malformed("The body is not UTF-8.")
  }
  if (text === "") return malformed("The body is empty.")
  const excess = excessOf(text)
  if (excess === "deep") return malformed(`The body nests deeper than ${maximumDepth} levels.`)
  if (excess === "large") return malformed(`The body has more than ${maximumValues} values.`)
  try {
    return Effect.succeed(JSON.parse(text))
  } catch {
    return malformed("The body is not JSON.")
  }
}

/** The result of a body parser of the host such as `express.json()`, which has consumed the body. */
const parsedByHost = (source: object): unknown =>
  "readableDidRead" in source && source.readableDidRead === true && "body" in source ? source.body : undefined

/** Callbacks to run before the body of a request is read; keyed by the platform's own request. */
export const beforeReading = new WeakMap<object, () => void>()

const encode = (body: unknown): Uint8Array => {
  if (body instanceof Uint8Array) return body
  return new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body))
}

const tooLarge = (maximumBytes: number) =>
  refuse("body_too_large", { detail: `A body has at most ${maximumBytes} bytes.` })

const bytesOf = (
  request: HttpServerRequest.HttpServerRequest,
  maximumBytes: number
): Effect.Effect<ArrayBuffer | Uint8Array, Refused> => {
  const parsed = parsedByHost(request.source)
  if (parsed !== undefined) {
    return Effect.catchDefect(
      Effect.sync(() => encode(parsed)),
      () => malformed("The body is not JSON.")
    )
  }
  const { source } = request
  const begin = Effect.sync(() => beforeReading.get(source)?.())
  if (isNodeRequest(source)) {
    return Effect.catch(Effect.andThen(begin, readNodeBody(source, maximumBytes)), (fault) =>
      fault === "too_large" ? tooLarge(maximumBytes) : cutOff
    )
  }
  return Effect.andThen(begin, request.arrayBuffer).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maximumBytes)),
    Effect.catch(({ reason }) =>
      reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge" ? tooLarge(maximumBytes) : cutOff
    )
  )
}

/**
 * True when the headers announce a body that is not empty. Some servers give a web request an
 * empty stream as body that no header announces.
 */
export const hasBody = ({ headers, source }: HttpServerRequest.HttpServerRequest): boolean => {
  const length = headers["content-length"]
  const isAnnounced = length !== undefined || headers["transfer-encoding"] !== undefined
  return source instanceof Request
    ? source.body !== null && length !== "0" && (isAnnounced || headers["content-type"] !== undefined)
    : Number(length ?? 0) > 0 || headers["transfer-encoding"] !== undefined
}

/** `bytes` are as they were sent, except for a body that the host has parsed. */
export interface JsonBody {
  readonly bytes: Uint8Array
  readonly value: unknown
}

/** The body as it was sent, of any media type. */
export const readBytes = (
  request: HttpServerRequest.HttpServerRequest,
  maximumBytes: number
): Effect.Effect<Uint8Array, Refused> => {
  const { headers } = request
  if (!isUncoded(headers["content-encoding"])) return refuse("unsupported_media_type")
  if (Number(headers["content-length"] ?? 0) > maximumBytes) return tooLarge(maximumBytes)
  return Effect.flatMap(bytesOf(request, maximumBytes), (bytes) =>
    bytes.byteLength > maximumBytes
      ? tooLarge(maximumBytes)
      : Effect.succeed(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes))
  )
}

/** With `anyMediaType`, the media type is not checked. */
export const readJson = (
  request: HttpServerRequest.HttpServerRequest,
  {
    anyMediaType = false,
    maximumBytes = maximumBodyBytes
  }: {
    readonly anyMediaType?: boolean
    readonly maximumBytes?: number | undefined
  } = {}
): Effect.Effect<JsonBody, Refused> => {
  if (!anyMediaType && !isJsonInUtf8(request.headers["content-type"])) return refuse("unsupported_media_type")
  return Effect.flatMap(readBytes(request, maximumBytes), (bytes) =>
    Effect.map(parse(bytes), (value) => ({ bytes, value }))
  )
}
