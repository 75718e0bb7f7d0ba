/**
 * Authentication: the digest of a key is looked up once and cached for ten seconds, as in the
 * reference server.
 */
import { hash } from "node:crypto"
import { crc32 } from "node:zlib"
import { Problem } from "./problems.ts"

/** A stored key and its organisation. */
export interface KeyRecord {
  readonly organisationId: string
  readonly apiKeyId: string
  readonly keyPrefix: string
  readonly userId: string | null
  readonly expiresAt: Date
  readonly status: string
}

export type Caller = Pick<KeyRecord, "organisationId" | "apiKeyId" | "keyPrefix" | "userId">

const prefix = "sk_live_"
const life = 10_000
const capacity = 10_000

/** True for text in the form of a key: 32 bytes and their checksum. */
const isWellFormed = (key: string): boolean => {
  if (!key.startsWith(prefix)) return false
  const text = key.slice(prefix.length)
  const bytes = Buffer.from(text, "base64url")
  return (
    bytes.length === 36 &&
    bytes.toString("base64url") === text &&
    crc32(bytes.subarray(0, 32)) === bytes.readUInt32BE(32)
  )
}

interface Remembered {
  readonly found: Promise<KeyRecord | undefined>
  readonly until: number
}

/** Authenticates by the header `x-api-key`; `lookUp` finds a digest in the table. */
export const authenticator = (lookUp: (digest: Buffer) => Promise<KeyRecord | undefined>) => {
  const remembered = new Map<string, Remembered>()

  const forget = (id: string, entry: Remembered) => {
    if (remembered.get(id) === entry) remembered.delete(id)
  }

  const find = (key: string): Promise<KeyRecord | undefined> => {
    const digest = hash("sha256", key, "buffer")
    const id = digest.toString("latin1")
    const known = remembered.get(id)
    if (known !== undefined && known.until > Date.now()) return known.found
    const entry = { found: lookUp(digest), until: Date.now() + life }
    remembered.delete(id)
    remembered.set(id, entry)
    for (const oldest of remembered.keys()) {
      if (remembered.size <= capacity) break
      remembered.delete(oldest)
    }
    entry.found.then(
      (record) => record === undefined && forget(id, entry),
      () => forget(id, entry)
    )
    return entry.found
  }

  return async (header: string | ReadonlyArray<string> | undefined): Promise<Caller> => {
    if (header === undefined || header === "") throw new Problem("api_key_missing")
    const record = typeof header === "string" && isWellFormed(header) ? await find(header) : undefined
    if (record === undefined) throw new Problem("api_key_invalid")
    if (record.expiresAt.getTime() <= Date.now()) throw new Problem("api_key_expired")
    if (record.status !== "active") throw new Problem("organisation_inactive")
    return record
  }
}
