/**
 * A host of the installed packages: all adapters, promises, HTTP and the client, over an embedded
 * database. Prints a line at its end.
 */
import assert from "node:assert/strict"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Filesystem from "@solar-sites/adapter-filesystem"
import * as Postgres from "@solar-sites/adapter-postgres"
import * as Pglite from "@solar-sites/adapter-postgres/pglite"
import * as Redis from "@solar-sites/adapter-redis"
import * as S3 from "@solar-sites/adapter-s3"
import { AccessChanges, RateLimiter, SolarSites, SolarSitesServices } from "@solar-sites/core"
import { Site, SiteNotFound } from "@solar-sites/core/model"
import { routes, toNodeListener, toWebHandler } from "@solar-sites/http-node"
import { makeClient, SolarSitesProblem } from "@solar-sites/http-node/client"
import { problems, SolarSitesApi } from "@solar-sites/http-node/contract"
import { Effect, Layer, Redacted } from "effect"

const folder = await mkdtemp(join(tmpdir(), "solar-sites-host-"))
export const database = Pglite.layer({ dataDir: join(folder, "database") })
await Postgres.promises.migrate(database)

// No server listens at these addresses: limits are counted without Redis, and S3 signs without a
// request.
export const shared = Redis.layer({ url: Redacted.make("redis://127.0.0.1:1") })
export const bucket = S3.layer({
  bucket: "documents",
  endpoint: "http://127.0.0.1:1",
  credentials: { accessKeyId: "access", secretAccessKey: Redacted.make("secret") }
})
export const files = Filesystem.layer({ directory: join(folder, "files"), publicUrl: "http://127.0.0.1:1" })
export const inProcess = Layer.merge(AccessChanges.layerInProcess, RateLimiter.layerInProcess)

export const solar = SolarSites.make({ database, storage: bucket, redis: shared })
const { id: organisationId } = await solar.organisations.create({ name: "Sunfield Energy" })
const { secret } = await solar.as({ organisationId, userId: "person-1" }).apiKeys.create({ name: "Reporting" })

export const binding = toNodeListener(solar)
await binding.ready
const server = createServer(binding.listener).listen(0, "127.0.0.1")
await once(server, "listening")
const address = server.address()
assert.ok(address !== null && typeof address === "object")

export const client = makeClient({ baseUrl: `http://127.0.0.1:${address.port}`, apiKey: secret })
const site = await client.sites.create({ siteName: "Long Meadow", capacity: 1.2, unit: "MWp" })
const { results } = await client.documents.issueUploads({
  siteId: site.id,
  fileType: "documents",
  files: [{ filename: "plan.pdf", mimeType: "application/pdf" }]
})
assert.ok(results[0]?.success && results[0].uploadUrl.url.includes("X-Amz-Signature="))
assert.deepEqual((await solar.as({ organisationId }).sites.list()).data, [site])
await assert.rejects(client.sites.get(organisationId), (error) => {
  assert.ok(error instanceof SolarSitesProblem)
  return error.code === "site_not_found" && error.status === problems.site_not_found.status
})

server.close()
await solar.close()
await rm(folder, { recursive: true })

// Further exports exist, and their types can be named.
export const more = { routes, toWebHandler, SolarSitesApi, SolarSitesServices, Site, SiteNotFound, Effect }
for (const [name, value] of Object.entries(more)) assert.ok(value, name)
console.log("the host is served")
