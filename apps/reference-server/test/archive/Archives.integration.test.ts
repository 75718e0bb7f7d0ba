import { readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { DocumentAudit, DocumentStorage, type OrganisationId, StorageKey } from "@solar-sites/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { archiveTables } from "../../src/archive/ArchiveTables.ts"
import { exportOrganisation } from "../../src/archive/OrganisationExport.ts"
import { importOrganisation } from "../../src/archive/OrganisationImport.ts"
import { runJson } from "../CommandInProcess.ts"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { aBucket, settingsOf, theServer, withoutS3 } from "../S3Server.ts"
import { temporaryFolder, type Variables } from "../SolarSitesProcess.ts"
import { contentsOf, fill, type Installation, installation, manifestIn, writeArchive } from "./ArchiveSetup.ts"

const schemas = ownSchemas()

describe.skipIf(withoutPostgres || withoutS3)("archives of organisations", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let source: Installation
  let target: Installation
  let targetVariables: Variables
  let id: OrganisationId
  let other: OrganisationId
  let archive: string
  let contents: Map<string, string>

  const exported = (from: Installation, name: string, organisation = id) => {
    const path = join(folder.path, name)
    return from.run(exportOrganisation(organisation, path)).then(() => path)
  }
  const refusal = (path: string, into = target) => into.run(Effect.flip(importOrganisation(path)))

  const isImported = async () => (await target.sql(`select 1 from {schema}.organisation where id = '${id}'`)).length > 0
  const remove = () => runJson(["organisations", "delete", id, "--confirm", "Sunfield"], targetVariables)
  /** The target without the organisation, and without files of it that are still to be deleted. */
  const absent = async () => {
    if (await isImported()) await remove()
    await target.sql("delete from {schema}.deleted_file")
  }

  beforeAll(async () => {
    folder = await temporaryFolder()
    const bucket = settingsOf(await aBucket(), theServer())
    source = await installation({ ...schemas.next(), DATA_DIR: join(folder.path, "source") })
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = bucket
    vi.stubEnv("AWS_ACCESS_KEY_ID", AWS_ACCESS_KEY_ID)
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", AWS_SECRET_ACCESS_KEY)
    targetVariables = {
      ...schemas.next(),
      DATA_DIR: join(folder.path, "target"),
      ...bucket
    }
    target = await installation(targetVariables)
    other = await fill(source, "Moonfield")
    id = await fill(source, "Sunfield")
    archive = await exported(source, "sunfield.tar.gz")
    contents = await contentsOf(archive)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await source?.close()
    await target?.close()
    await schemas.drop()
    await folder[Symbol.asyncDispose]()
  })

  it("hold the records and files of one organisation, and no secrets", async () => {
    const manifest = manifestIn(contents)
    expect(manifest).toMatchObject({
      formatVersion: 1,
      organisation: { id, name: "Sunfield", status: "active", requirementsVersion: 1, requireSecondFactor: true },
      counts: { portfolios: 1, sites: 1, documents: 4, requirements: 1, users: 2, files: 3 },
      missingFiles: []
    })
    expect([...contents.keys()].at(-1)).toBe("manifest.json")
    // The choice of users about their mails is no secret.
    const texts = [...contents.values()].join("\n").replaceAll('"digest":"weekly"', "")
    expect(texts).not.toContain(other)
    for (const secret of ["password", "digest", "whsec_", "hash"]) expect(texts).not.toContain(`"${secret}`)
    const files = [...contents].filter(([name]) => name.startsWith("files/")).map(([, text]) => text)
    expect(files.toSorted()).toEqual(["", "first lease", "second lease"])
    expect((await stat(archive)).mode & 0o777).toBe(0o600)
    expect((await readdir(folder.path)).filter((name) => name.startsWith("."))).toEqual([])
  })

  it("hold every column of their tables, save passwords, times of choices, languages and what other columns give", async () => {
    const rows = await source.sql(`select table_name, column_name from information_schema.columns
      where table_schema = trim(both '"' from '{schema}') and is_generated = 'NEVER' and column_name <> 'organisation_id'`)
    const held = archiveTables.flatMap(({ columns, derived, table }) =>
      [...columns, ...derived].map(({ name }) => `${table}.${name}`)
    )
    const stored = rows.flatMap(([table, column]) =>
      archiveTables.some((known) => known.table === table) ? [`${table}.${column}`] : []
    )
    expect(stored.filter((column) => !held.includes(column)).toSorted()).toEqual([
      "console_user.digest_since",
      "console_user.language",
      "console_user.password_hash",
      "document.replacement_requests"
    ])
  })

  it("name documents without their file, and refuse to replace a file", async () => {
    const gone = await fill(source, "Missing")
    const [key = ""] = await source.keys(gone)
    await source.run(DocumentStorage.use((storage) => storage.delete(gone, [StorageKey.make(key)])))
    const manifest = manifestIn(await contentsOf(await exported(source, "missing.tar.gz", gone)))
    expect([manifest.missingFiles, manifest.counts["files"]]).toEqual([[key.split("/")[2]], 2])
    const again = await source.run(Effect.flip(exportOrganisation(gone, join(folder.path, "missing.tar.gz"))))
    expect(again.message).toContain("exists already")
  })

  it("are refused as a whole when they were changed", async () => {
    await absent()
    const damaged = join(folder.path, "damaged.tar.gz")
    const change = async (name: string, text: string | undefined): Promise<string> => {
      const changed = new Map(contents)
      if (text === undefined) changed.delete(name)
      else changed.set(name, text)
      await writeArchive(damaged, changed)
      return (await refusal(damaged)).message
    }
    const [file = ""] = [...contents.keys()].filter((name) => name.startsWith("files/"))
    expect(await change(file, "other bytes")).toContain(`the checksum of ${file} differs`)
    expect(await change(file, undefined)).toContain(`the entry ${file} is missing`)
    expect(await change("manifest.json", undefined)).toContain("the archive has no manifest")
    const sites = contents.get("sites.ndjson") ?? ""
    expect(await change("sites.ndjson", sites.replace("51.5", "151.5"))).toContain("line 1 of sites.ndjson is invalid")
    expect(await change("sites.ndjson", sites + sites)).toContain("line 2 of sites.ndjson repeats id")
    expect(await change("portfolios.ndjson", "")).toContain("names portfolioId")
    expect(await change("../evil", "x")).toContain("unexpected entry ../evil")
    const manifest = contents.get("manifest.json") ?? ""
    expect(await change("manifest.json", manifest.replace('"formatVersion": 1', '"formatVersion": 2'))).toContain(
      "format 2"
    )
    const bytes = await readFile(archive)
    await writeFile(damaged, bytes.subarray(0, bytes.length - 50))
    expect((await refusal(damaged)).message).toContain("cannot be read")
    await writeFile(damaged, "no archive")
    expect((await refusal(damaged)).message).toContain("cannot be read")
    expect((await target.solar.organisations.list()).data).toEqual([])
    expect(await target.keys(id)).toEqual([])
  })

  it("are refused where the organisation or a user exists", async () => {
    await absent()
    expect((await refusal(archive, source)).message).toContain(`there is an organisation with the id ${id} already`)
    await target.sql(`insert into {schema}.event (organisation_id, sequence, id, type, occurred_at, subject_id, changes)
      values ('${id}', 1, gen_random_uuid(), 'site.deleted', now(), gen_random_uuid(), '{}')`)
    expect((await refusal(archive)).message).toContain("repeat its deletion")
    await target.sql(`delete from {schema}.event`)
    const { id: taken } = await target.solar.organisations.create({ name: "Other" })
    await target.sql(`insert into {schema}.console_user
      (organisation_id, id, login, email, name, password_hash, password_version, created_at)
      values ('${taken}', gen_random_uuid(), 'owner.${id}@example.com', 'a@example.com', 'A', 'hash', 1, now())`)
    expect((await refusal(archive)).message).toContain(
      "users of another organisation have the e-mail addresses a@example.com"
    )
    await target.solar.organisations.delete(taken)
    expect((await target.solar.organisations.list()).data).toEqual([])
  })

  it("continue after an interruption, and give the same archive again", async () => {
    await absent()
    const interrupted = importOrganisation(archive, {
      onProgress: (pass, resource) => {
        if (pass === "store" && resource === "files") throw new Error("interrupted")
      }
    })
    await target.run(Effect.flip(interrupted))
    expect((await target.solar.organisations.get(id)).status).toBe("inactive")
    const newer = await exported(source, "newer.tar.gz")
    expect((await refusal(newer)).message).toContain("an import of another archive")

    await target.run(importOrganisation(archive))
    const again = await contentsOf(await exported(target, "again.tar.gz"))
    const { exportedAt: _, ...manifest } = manifestIn(again)
    expect(manifestIn(contents)).toMatchObject(manifest)
    expect(new Map([...again].slice(0, -1))).toEqual(new Map([...contents].slice(0, -1)))
    expect((await refusal(archive)).message).toContain("there is an organisation with the id")

    const limits = await target.sql("select portfolio_ids is null, portfolio_ids from {schema}.console_user order by 1")
    const { data: portfolios } = await source.solar.as({ organisationId: id }).portfolios.list()
    expect(limits).toEqual([
      [false, `{${portfolios[0]?.id}}`],
      [true, null]
    ])
    const as = target.solar.as({ organisationId: id })
    const before = await source.solar.as({ organisationId: id }).sites.list()
    expect(await as.sites.list()).toEqual(before)
    const [site] = before.data
    await as.sites.update(site?.id ?? "", { siteName: "Short Meadow" })
    const events = await as.events.list({ order: "desc", limit: 2 })
    expect(events.data.map(({ type }) => type)).toEqual(["site.updated", expect.any(String)])
    expect(events.data[0]?.sequence).toBeGreaterThan(manifestIn(contents).organisation.lastSequence)
  })

  it("leave nothing in a bucket once the organisation is deleted", async () => {
    if (!(await isImported())) await target.run(importOrganisation(archive))
    expect(await target.keys(id)).toHaveLength(3)
    await remove()
    expect(await target.keys(id)).toEqual([])
    const audit = DocumentAudit.use(({ findOrphans }) => findOrphans(id)).pipe(Effect.provide(DocumentAudit.layer))
    expect(await target.run(audit)).toEqual({ filesWithoutDocument: [], documentsWithoutFile: [] })
  })
})
