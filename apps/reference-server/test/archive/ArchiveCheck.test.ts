import { createWriteStream } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip, gzipSync } from "node:zlib"
import { pack as makePack } from "tar-stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { checkArchive } from "../../src/archive/ArchiveCheck.ts"
import { archiveBounds } from "../../src/archive/ArchiveFormat.ts"
import { archiveTables } from "../../src/archive/ArchiveTables.ts"
import { makeArchiveWriter } from "../../src/archive/ArchiveWriter.ts"
import { temporaryFolder } from "../SolarSitesProcess.ts"
import { withoutMembers, writeArchive } from "./ArchiveSetup.ts"

const at = "2026-01-02T03:04:05.678Z"
const uuid = (number: number) => `01890000-0000-7000-8000-${String(number).padStart(12, "0")}`
const site = (number: number, more: object = {}) => ({
  ...{ id: uuid(number), siteName: "Long Meadow", capacity: 1, unit: "MW", address: null, latitude: null },
  ...{ longitude: null, portfolioId: null, siteManager: null, coverImageUrl: null, createdAt: at, updatedAt: at },
  ...{ version: 1, externalId: null, tags: [], attributes: {}, ...more }
})
const event = (changes: object) => ({
  ...{ id: uuid(9), sequence: 1, type: "site.created", occurredAt: at, userId: null, apiKeyId: null, keyPrefix: null },
  ...{ subjectId: uuid(1), subjectName: null, siteId: uuid(1), changes, requestId: null }
})
const requirement = (position: number) => ({
  ...{ position, documentType: "land_lease", portfolioId: null, validityRequired: false, expiringWithinDays: 30 }
})

/** An archive of an organisation with these rows, and nothing else. */
const archiveOf = (rows: Readonly<Record<string, ReadonlyArray<object>>>): Map<string, string> => {
  const of = (resource: string) => rows[resource] ?? []
  const organisation = { id: uuid(7), name: "Sunfield", status: "active" }
  const resources = archiveTables.map(({ resource }) => resource)
  const counts = Object.fromEntries(resources.map((resource) => [resource, of(resource).length]))
  const manifest = { format: "solar-sites-organisation", formatVersion: 1, exportedAt: at, organisation, counts }
  const entries = resources.map((resource): [string, string] => [
    `${resource}.ndjson`,
    of(resource)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join("")
  ])
  return withoutMembers(new Map([...entries, ["manifest.json", JSON.stringify(manifest)]]), {})
}

describe("the check of an archive", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let path: string
  beforeAll(async () => {
    folder = await temporaryFolder()
    path = join(folder.path, "archive.tar.gz")
  })
  afterAll(() => folder[Symbol.asyncDispose]())

  const checked = async (contents: ReadonlyMap<string, string>) => {
    await writeArchive(path, contents)
    return checkArchive(path)
  }
  const refusal = (contents: ReadonlyMap<string, string>) =>
    checked(contents).then(
      () => "accepted",
      ({ message }) => String(message)
    )
  /** The refusal of an archive with one entry, packed as tightly as possible. */
  const refusalOf = async (name: string, size: number, body: Iterable<Uint8Array>, level = 9) => {
    const pack = makePack()
    const written = pipeline(pack, createGzip({ level }), createWriteStream(path))
    await pipeline(Readable.from(body, { objectMode: false }), pack.entry({ name, size }))
    pack.finalize()
    await written
    return checkArchive(path).then(
      () => "accepted",
      ({ message }) => String(message)
    )
  }
  const repeated = function* (chunk: Uint8Array, times: number) {
    for (let count = 0; count < times; count++) yield chunk
  }
  const mebibyte = 2 ** 20

  it("gives members, tables and the state that an earlier version did not have their defaults", async () => {
    const contents = archiveOf({ sites: [site(1, { tags: ["roof"] }), site(2)], requirements: [requirement(0)] })
    const gone = { "sites.ndjson": ["externalId", "tags", "attributes", "siteManager"], "requirements.ndjson": null }
    const { manifest } = await checked(withoutMembers(contents, gone))
    expect(manifest.organisation).toMatchObject({
      requirementsVersion: 0,
      lastEventAt: null,
      requireSecondFactor: false,
      sharedViews: []
    })
    const sites = archiveTables.find(({ resource }) => resource === "sites")
    const { attributes: _, externalId: __, siteManager: ___, tags: ____, ...earlier } = site(1)
    expect(sites?.check(earlier)).toEqual(site(1))
  })

  it("refuses lines without a member that has no default, and those of a later version", async () => {
    const contents = archiveOf({ sites: [site(1)] })
    expect(await refusal(withoutMembers(contents, { "sites.ndjson": ["version"] }))).toContain("line 1 of sites.ndjson")
    expect(await refusal(archiveOf({ sites: [site(1, { colour: "red" })] }))).toMatch(/line 1 of sites.ndjson.*colour/s)
  })

  it("refuses a table with another number of lines than the manifest counts", async () => {
    const contents = archiveOf({ requirements: [requirement(0)] })
    contents.delete("requirements.ndjson")
    expect(await refusal(contents)).toContain("requirements.ndjson is missing")
    const counted = archiveOf({ sites: [site(1)] })
    const manifest = counted.get("manifest.json")?.replace('"sites":1', '"sites":2') ?? ""
    expect(await refusal(counted.set("manifest.json", manifest))).toContain("the lines of sites.ndjson")
  })

  it("takes users of before without a limit, and refuses owners with one", async () => {
    const user = (more: object) => ({
      ...{ id: uuid(3), email: "ada@example.com", name: "Ada", role: "owner", createdAt: at, digest: "weekly" },
      ...more
    })
    expect(await refusal(archiveOf({ users: [user({})] }))).toBe("accepted")
    expect(await refusal(archiveOf({ users: [user({ role: "viewer", portfolioIds: [uuid(5)] })] }))).toBe("accepted")
    expect(await refusal(archiveOf({ users: [user({ portfolioIds: [] })] }))).toContain("limits an owner to portfolios")
    expect(await refusal(archiveOf({ users: [user({ portfolioIds: ["x"] })] }))).toContain("line 1 of users.ndjson")
  })

  it("refuses lines that repeat a key or are out of order, without keeping the keys", async () => {
    expect(await refusal(archiveOf({ sites: [site(1), site(1)] }))).toContain(`line 2 of sites.ndjson repeats id`)
    expect(await refusal(archiveOf({ sites: [site(2), site(1)] }))).toContain(
      "line 2 of sites.ndjson is not in the order"
    )
  })

  it("refuses what Postgres could not store", async () => {
    const deep = JSON.parse(`${"[".repeat(40)}${"]".repeat(40)}`)
    for (const value of [deep, "\0", "\ud800"]) {
      const changes = { note: { from: null, to: value } }
      expect(await refusal(archiveOf({ events: [event(changes)] }))).toContain("line 1 of events.ndjson is invalid")
    }
    expect(await refusal(archiveOf({ events: [event({ note: { from: null, to: "a" } })] }))).toBe("accepted")
  })

  it("refuses more lines than a table can have", async () => {
    const requirements = Array.from({ length: 201 }, (_, position) => requirement(position))
    expect(await refusal(archiveOf({ requirements: requirements.slice(1) }))).toBe("accepted")
    expect(await refusal(archiveOf({ requirements }))).toContain("requirements.ndjson has more than 200 lines")
  })

  it("refuses an entry by the size in its header", async () => {
    for (const [name, most] of [
      ["sites.ndjson", archiveBounds.tableBytes],
      ["manifest.json", archiveBounds.manifestBytes]
    ] as const) {
      const pack = makePack()
      pack.entry({ name, size: most + 1 })
      const { value: header } = await pack[Symbol.asyncIterator]().next()
      await writeFile(path, gzipSync(Buffer.concat([Object(header), Buffer.alloc(mebibyte)])))
      await expect(checkArchive(path)).rejects.toThrow(
        `the entry ${name} has ${most + 1} bytes, and at most ${most} are read`
      )
    }
  })

  it("refuses a line at its bound, before its end", async () => {
    const noise = Buffer.alloc(mebibyte, "0123456789")
    const size = 32 * mebibyte
    expect(await refusalOf("sites.ndjson", size, repeated(noise, 32), 0)).toContain(
      `line 1 of sites.ndjson is invalid: it has more than ${archiveBounds.lineBytes} bytes`
    )
  })

  it("refuses what unpacks to too many bytes, in a table, a file or behind the end", async () => {
    const zeros = Buffer.alloc(mebibyte)
    const size = 100 * mebibyte
    const why = "the archive unpacks to more than 250 times its size"
    expect(await refusalOf("files/x", size, repeated(zeros, 100))).toContain(why)
    const empty = Readable.from(repeated(zeros, 100), { objectMode: false })
    await pipeline(empty, createGzip({ level: 9 }), createWriteStream(path))
    await expect(checkArchive(path)).rejects.toThrow(why)
  })

  it("never refuses the compression of an export", async () => {
    const writer = makeArchiveWriter(path, new Date(at))
    const size = 100 * mebibyte
    await writer.add("files/x", size, Readable.from(repeated(Buffer.alloc(mebibyte), 100), { objectMode: false }))
    await writer.end()
    await expect(checkArchive(path)).rejects.toThrow("the archive has no manifest")
  })
})
