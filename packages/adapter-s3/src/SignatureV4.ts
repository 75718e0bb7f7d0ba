/**
 * Signature Version 4 in the query (Amazon S3 API reference, "Authenticating
 * requests: using query parameters"). Addresses of a batch share date, scope and
 * key, so that each costs two digests.
 */
import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto"

export interface SigningCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** Shared by the addresses of a batch; `expiresIn` in seconds. */
export interface SigningScope {
  readonly credentials: SigningCredentials
  readonly region: string
  readonly service: string
  readonly host: string
  readonly signingDate: Date
  readonly expiresIn: number
}

/**
 * `path` is encoded. All headers are signed; the client must send them. Names in `query` begin with a small letter, so that
 * they sort after those of the signature.
 */
export interface Signable {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

type Parameter = readonly [encodedName: string, encodedValue: string]

const algorithm = "AWS4-HMAC-SHA256"
const payload = "UNSIGNED-PAYLOAD"

const escapeCharacter = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

const encode = (text: string): string => encodeURIComponent(text).replace(/[!'()*]/g, escapeCharacter)

const hmac = (key: KeyObject | string, text: string): Buffer => createHmac("sha256", key).update(text).digest()

// No two names are equal.
const byName = ([a]: Parameter, [b]: Parameter): number => (a < b ? -1 : 1)

const format = (parameters: ReadonlyArray<Parameter>): string =>
  parameters.map(([name, value]) => `${name}=${value}`).join("&")

/** Caches the last key, which is valid for a day. */
export const signingKeys = (): ((
  credentials: SigningCredentials,
  parts: readonly [day: string, region: string, service: string]
) => KeyObject) => {
  let last: { readonly name: string; readonly secret: string; readonly key: KeyObject } | undefined
  return ({ secretAccessKey }, parts) => {
    const name = parts.join("/")
    if (last?.name === name && last.secret === secretAccessKey) return last.key
    let bytes = hmac(`AWS4${secretAccessKey}`, parts[0])
    for (const part of [parts[1], parts[2], "aws4_request"]) bytes = hmac(createSecretKey(bytes), part)
    last = { name, secret: secretAccessKey, key: createSecretKey(bytes) }
    return last.key
  }
}

/** Returns a function from a request to the query of its signed address. */
export const signing = (
  { credentials, expiresIn, host, region, service, signingDate }: SigningScope,
  keyOf: ReturnType<typeof signingKeys>
): ((request: Signable) => string) => {
  const moment = signingDate.toISOString().replace(/[-:]|\.\d{3}/g, "")
  const day = moment.slice(0, 8)
  const scope = `${day}/${region}/${service}/aws4_request`
  const key = keyOf(credentials, [day, region, service])
  const { accessKeyId, sessionToken } = credentials
  // Names of parameters in their order. Two more follow: the signature, and the names of the headers.
  const shared = format([
    ["X-Amz-Algorithm", algorithm],
    ["X-Amz-Content-Sha256", payload],
    ["X-Amz-Credential", encode(`${accessKeyId}/${scope}`)],
    ["X-Amz-Date", moment],
    ["X-Amz-Expires", String(expiresIn)],
    ...(sessionToken ? [["X-Amz-Security-Token", encode(sessionToken)] as const] : [])
  ])

  return ({ headers, method, path, query }) => {
    const sent: ReadonlyArray<Parameter> = [...Object.entries(headers), ["host", host] as const]
      .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/\s+/g, " ")] as const)
      .sort(byName)
    const names = sent.map(([name]) => name).join(";")
    const own = Object.entries(query)
      .map(([name, value]) => [encode(name), encode(value)] as const)
      .sort(byName)
    const rest = format([["X-Amz-SignedHeaders", encode(names)], ...own])
    const lines = sent.map(([name, value]) => `${name}:${value}\n`).join("")
    const canonical = `${method}\n${path}\n${shared}&${rest}\n${lines}\n${names}\n${payload}`
    const signature = hmac(key, `${algorithm}\n${moment}\n${scope}\n${hash("sha256", canonical)}`).toString("hex")
    return `${shared}&X-Amz-Signature=${signature}&${rest}`
  }
}
