/**
 * Checks an archive as a whole before an import stores anything: checksums, format, every line, and
 * references between lines.
 */
import { createHash, type Hash } from "node:crypto"
import { Schema } from "effect"
import { loginOf } from "../accounts/people/User.ts"
import { Failure, messageOf } from "../Failure.ts"
import { type ArchiveEntry, archiveBounds, fileFolder, formatVersion, Manifest, manifestName } from "./ArchiveFormat.ts"
import { entriesOf, linesOf, type ReadEntry } from "./ArchiveReader.ts"
import { type ArchiveTable, archiveTables, type Line, users } from "./ArchiveTables.ts"

interface ArchivedFile {
  readonly siteId: string
  readonly mimeType: string
}

export interface CheckedArchive {
  readonly manifest: Manifest
  /** SHA-256 of the manifest, and so of the whole archive. */
  readonly digest: string
  /** By document id, for the documents with a file. */
  readonly files: ReadonlyMap<string, ArchivedFile>
  readonly logins: ReadonlyArray<string>
  readonly userIds: ReadonlyArray<string>
}

const refuse = (why: string): never => {
  throw new Failure({ message: `Nothing was imported: ${why}.` })
}

const decodeManifest = Schema.decodeUnknownSync(Schema.fromJsonString(Manifest))

const manifestOf = (text: string): Manifest => {
  const version: unknown = Reflect.get(Object(JSON.parse(text)), "formatVersion")
  if (typeof version === "number" && version !== formatVersion) {
    refuse(`the archive has format ${version}, and this version reads format ${formatVersion}`)
  }
  return decodeManifest(text)
}

/** The body, which is added to a hash while it is read. */
const hashed = async function* ({ body }: ReadEntry, hash: Hash): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of body) {
    hash.update(chunk)
    yield chunk
  }
}

const textOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of body) chunks.push(chunk)
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks))
}

const tableNamed = (name: string): ArchiveTable | undefined =>
  archiveTables.find(({ resource }) => name === `${resource}.ndjson`)

/** Members that name a row of another table. */
const references: Readonly<Record<string, string>> = { portfolioId: "portfolios", siteId: "sites" }

const isReference = ({ resource }: ArchiveTable): boolean => resource !== "events"

/** Why Postgres could not store a value that the schemas accept; undefined when it can. */
const obstacle = (value: unknown, levels = archiveBounds.depth): string | undefined => {
  if (typeof value === "string")
    return value.includes("\0") || !value.isWellFormed() ? "a text is malformed" : undefined
  if (typeof value !== "object" || value === null) return undefined
  if (levels === 0) return `values are nested more than ${archiveBounds.depth} times`
  for (const member of Object.values(value)) {
    const found = obstacle(member, levels - 1)
    if (found !== undefined) return found
  }
  return undefined
}

export const checkArchive = async (
  path: string,
  onProgress: (resource: string, count: number) => void = () => {}
): Promise<CheckedArchive> => {
  /** By resource, for those that references name. */
  const ids = new Map(Object.values(references).map((resource) => [resource, new Set<unknown>()]))
  const counts: Record<string, number> = {}
  const stored = new Set<string>()
  const files = new Map<string, ArchivedFile>()
  const logins = new Set<string>()
  const userIds: Array<string> = []
  const entries: Array<ArchiveEntry> = []
  let ended: { readonly manifest: Manifest; readonly digest: string } | undefined

  const checkLine = (table: ArchiveTable, line: Line) => {
    const key = String(line[table.key])
    ids.get(table.resource)?.add(key)
    for (const [member, resource] of isReference(table) ? Object.entries(references) : []) {
      const id = line[member]
      if (typeof id === "string" && !ids.get(resource)?.has(id)) return `names ${member} ${id}, which is missing`
    }
    if (table === users) {
      if (line["role"] === "owner" && line["portfolioIds"] !== null) return "limits an owner to portfolios"
      const login = loginOf(String(line["email"]))
      if (logins.has(login)) return "repeats an e-mail address"
      logins.add(login)
      userIds.push(key)
    }
    if (table.resource === "documents" && stored.has(key)) {
      files.set(key, { siteId: String(line["siteId"]), mimeType: String(line["mimeType"]) })
    }
    return undefined
  }

  const checkTable = async (table: ArchiveTable, body: AsyncIterable<Uint8Array>) => {
    const { check, key, maximumRows, resource } = table
    let position = 1
    let last: string | number | undefined
    try {
      for await (const value of linesOf(body)) {
        const where = `line ${position} of ${resource}.ndjson`
        if (position > maximumRows) refuse(`${resource}.ndjson has more than ${maximumRows} lines`)
        const fault = obstacle(value)
        if (fault !== undefined) refuse(`${where} is invalid: ${fault}`)
        const line = check(value)
        // `as`: the schema of a key accepts texts or numbers alone.
        const current = line[key] as string | number
        if (current === last) refuse(`${where} repeats ${key} ${current}`)
        if (last !== undefined && current < last) refuse(`${where} is not in the order of ${key}`)
        last = current
        const wrong = checkLine(table, line)
        if (wrong !== undefined) refuse(`${where} ${wrong}`)
        if (position % 1_000 === 0) onProgress(resource, position)
        position++
      }
    } catch (cause) {
      if (cause instanceof Failure) throw cause
      refuse(`line ${position} of ${resource}.ndjson is invalid: ${messageOf(cause)}`)
    }
    counts[resource] = position - 1
  }

  const checkFile = async (name: string, body: AsyncIterable<Uint8Array>) => {
    for await (const _ of body) {
      // Only the checksum counts here.
    }
    stored.add(name.slice(fileFolder.length))
    if (stored.size > archiveBounds.files) refuse(`the archive has more than ${archiveBounds.files} files`)
    onProgress("files", stored.size)
  }

  const checkSize = (name: string, sizeBytes: number, most: number) => {
    if (sizeBytes > most) refuse(`the entry ${name} has ${sizeBytes} bytes, and at most ${most} are read`)
  }

  const names = new Set<string>()
  for await (const entry of entriesOf(path)) {
    const { isFile, name, sizeBytes } = entry
    if (ended !== undefined || !isFile || names.has(name)) refuse(`the archive has an unexpected entry ${name}`)
    names.add(name)
    const hash = createHash("sha256")
    const body = hashed(entry, hash)
    const table = tableNamed(name)
    if (name === manifestName) {
      checkSize(name, sizeBytes, archiveBounds.manifestBytes)
      const text = await textOf(body)
      ended = { manifest: manifestOf(text), digest: hash.digest("hex") }
      continue
    }
    if (table !== undefined) {
      checkSize(name, sizeBytes, archiveBounds.tableBytes)
      await checkTable(table, body)
    } else if (name.startsWith(fileFolder)) await checkFile(name, body)
    else refuse(`the archive has an unexpected entry ${name}`)
    entries.push({ name, sizeBytes, sha256: hash.digest("hex") })
  }

  if (ended === undefined) return refuse("the archive has no manifest")
  const { digest, manifest } = ended
  for (const [index, expected] of manifest.entries.entries()) {
    const { name, sha256, sizeBytes } = entries[index] ?? refuse(`the entry ${expected.name} is missing`)
    if (name !== expected.name) refuse(`the entry ${expected.name} is missing`)
    if (sha256 !== expected.sha256 || sizeBytes !== expected.sizeBytes) refuse(`the checksum of ${name} differs`)
  }
  const extra = entries[manifest.entries.length]
  if (extra !== undefined) refuse(`the archive has an unexpected entry ${extra.name}`)
  // An archive of an earlier version names no table that it does not have.
  for (const { resource } of archiveTables) {
    if (counts[resource] !== manifest.counts[resource]) refuse(`the lines of ${resource}.ndjson are not those counted`)
  }
  for (const id of stored) if (!files.has(id)) refuse(`the file ${id} has no document`)
  return { manifest, digest, files, logins: [...logins], userIds }
}
