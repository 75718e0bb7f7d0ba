/** Installations in process: a database with storage, and the library on them. */

import { createHash } from "node:crypto"
import { createWriteStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { PgClient } from "@solar-sites/adapter-postgres"
import { DocumentStorage, OrganisationId, SolarSites, storageKey, WebhookSender } from "@solar-sites/core"
import { ConfigProvider, Effect, Layer, ManagedRuntime } from "effect"
import { pack as makePack } from "tar-stream"
import type { Manifest } from "../../src/archive/ArchiveFormat.ts"
import { entriesOf } from "../../src/archive/ArchiveReader.ts"
import { storedFiles } from "../../src/archive/StoredFiles.ts"
import { fromEnvironment, settings } from "../../src/configuration/Settings.ts"
import * as Database from "../../src/database/Database.ts"
import * as Storage from "../../src/storage/Storage.ts"
import type { Variables } from "../SolarSitesProcess.ts"

export const installation = async (variables: Variables) => {
  const adapters = Layer.unwrap(
    fromEnvironment(settings).pipe(
      Effect.map((chosen) =>
        Layer.merge(Database.layer(chosen, "apply"), Storage.layer(chosen, Effect.succeed("http://localhost")))
      ),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(variables))
    )
  )
  const sender = Layer.succeed(WebhookSender, { check: () => Effect.void, send: () => Effect.succeed({ status: 204 }) })
  const runtime = ManagedRuntime.make(Layer.merge(adapters, sender))
  const solar = SolarSites.make(Layer.succeedContext(await runtime.context()))
  return {
    solar,
    run: runtime.runPromise,
    sql: (text: string) =>
      runtime.runPromise(
        PgClient.use(({ run, schema }) => run({ operation: "test", text: text.replaceAll("{schema}", schema) }))
      ),
    /** Stores a file of a new document; its status is `uploaded`. */
    upload: async (
      owner: OrganisationId,
      siteId: string,
      filename: string,
      content: string | Uint8Array<ArrayBuffer>,
      more: object = {}
    ) => {
      const documents = solar.as({ organisationId: owner, userId: "u-1" }).documents
      const file = { filename, mimeType: "application/pdf", ...more }
      const { results } = await documents.issueUploads({ siteId, fileType: "documents", files: [file] })
      const [issued] = results
      if (issued === undefined || !issued.success) throw new Error("no address was issued")
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
      const key = storageKey({ organisationId: owner, siteId, documentId: issued.documentId })
      const body = new Blob([bytes]).stream()
      const written = { key, mimeType: "application/pdf", sizeBytes: bytes.length, body }
      await runtime.runPromise(Effect.flatMap(storedFiles, (stored) => stored.write(owner, written)))
      await documents.changeStatus(issued.documentId, { status: "uploaded" })
      return issued.documentId
    },
    keys: (owner: OrganisationId) =>
      runtime.runPromise(
        Effect.map(
          DocumentStorage.use((storage) => storage.list(owner, { after: null, limit: 1_000 })),
          ({ items }) => items.map(({ key }) => key)
        )
      ),
    close: async () => {
      await solar.close()
      await runtime.dispose()
    }
  }
}

export type Installation = Awaited<ReturnType<typeof installation>>

/** An organisation with one of everything that an archive holds. */
export const fill = async ({ solar, sql, upload }: Installation, name: string): Promise<OrganisationId> => {
  const id = OrganisationId.make((await solar.organisations.create({ name })).id)
  const as = solar.as({ organisationId: id, userId: "u-1" })
  const portfolio = await as.portfolios.create({ name: "South", externalId: "P-1" })
  const site = await as.sites.create({
    siteName: "Long Meadow",
    capacity: 0.07,
    unit: "MWp",
    latitude: 51.5,
    portfolioId: portfolio.id,
    externalId: "S-1",
    tags: ["roof", "ü"],
    attributes: { "meter id": "m,1", count: 3 },
    siteManager: { name: "Ada", email: "ada@example.com" }
  })
  await as.sites.update(site.id, { address: "1 Lane\nTown" })
  const first = await upload(id, site.id, "lease.pdf", "first lease", {
    documentType: "land_lease",
    validUntil: "2030-01-01"
  })
  await upload(id, site.id, "lease 2.pdf", "second lease", { documentType: "land_lease", replaces: first })
  await upload(id, site.id, "empty.pdf", "")
  const files = [{ filename: "pending.pdf", mimeType: "application/pdf", fileSize: 5 }]
  await as.documents.issueUploads({ siteId: site.id, fileType: "documents", files })
  await as.requirements.replace({ requirements: [{ documentType: "land_lease", portfolioId: portfolio.id }] })
  await as.webhooks.create({ url: "https://example.com/hook", events: ["*"] })
  await as.apiKeys.create({ name: "Key" })
  await sql(`insert into {schema}.console_user
    (organisation_id, id, login, email, name, password_hash, password_version, created_at, role)
    values ('${id}', gen_random_uuid(), 'owner.${id}@example.com', 'Owner.${id}@example.com', 'Owner', 'hash', 1, now(), 'owner')`)
  await sql(`insert into {schema}.console_user
    (organisation_id, id, login, email, name, password_version, created_at, role, portfolio_ids)
    values ('${id}', gen_random_uuid(), 'lender.${id}@example.com', 'lender.${id}@example.com', 'Lender', 1, now(), 'viewer',
      '{${portfolio.id}}')`)
  await sql(`insert into {schema}.console_organisation (organisation_id, require_second_factor, views)
    values ('${id}', true, '[{"name":"Roofs","query":"tag=roof"}]')`)
  return id
}

/** The entries of an archive as text. */
export const contentsOf = async (path: string): Promise<Map<string, string>> => {
  const contents = new Map<string, string>()
  for await (const { body, name } of entriesOf(path)) {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of body) chunks.push(chunk)
    contents.set(name, Buffer.concat(chunks).toString())
  }
  return contents
}

export const manifestIn = (contents: ReadonlyMap<string, string>): Manifest =>
  JSON.parse(contents.get("manifest.json") ?? "")

const lines = (text: string): ReadonlyArray<object> =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line))

const without = (value: object, members: ReadonlyArray<string>) =>
  Object.fromEntries(Object.entries(value).filter(([member]) => !members.includes(member)))

/**
 * The entries as a version wrote them that did not have these members: those of lines by entry, those of
 * the organisation as `manifest.json`. An entry that is null is missing.
 */
export const withoutMembers = (
  contents: ReadonlyMap<string, string>,
  gone: Readonly<Record<string, ReadonlyArray<string> | null>>
): Map<string, string> => {
  const changed = new Map<string, string>()
  const manifest = manifestIn(contents)
  for (const [name, text] of contents) {
    const members = gone[name] ?? []
    if (gone[name] === null || name === "manifest.json") continue
    const isTable = name.endsWith(".ndjson") && members.length > 0
    changed.set(
      name,
      isTable
        ? lines(text)
            .map((line) => `${JSON.stringify(without(line, members))}\n`)
            .join("")
        : text
    )
  }
  const entries = [...changed].map(([name, text]) => ({
    name,
    sizeBytes: Buffer.byteLength(text),
    sha256: createHash("sha256").update(text).digest("hex")
  }))
  const missing = Object.keys(gone).flatMap((name) => (gone[name] === null ? [name.replace(".ndjson", "")] : []))
  const organisation = without(manifest.organisation, gone["manifest.json"] ?? [])
  const counts = without(manifest.counts, missing)
  return changed.set("manifest.json", JSON.stringify({ ...manifest, organisation, counts, entries }))
}

/** Writes an archive of these entries. */
export const writeArchive = async (path: string, contents: ReadonlyMap<string, string>): Promise<void> => {
  const pack = makePack()
  const written = pipeline(pack, createGzip(), createWriteStream(path))
  for (const [name, text] of contents) pack.entry({ name }, text)
  pack.finalize()
  await written
}
