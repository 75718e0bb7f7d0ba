/**
 * Solar Sites for the users, companies and O&M records that the host has already.
 * Solar Sites' own records are in an embedded Postgres, files in a folder beside it.
 */
import { makeFileStore } from "@solar-sites/adapter-filesystem"
import { layerPorts, migrate } from "@solar-sites/adapter-postgres"
import * as Pglite from "@solar-sites/adapter-postgres/pglite"
import { AccessChanges, HostOrganisations, RateLimiter, SolarSites } from "@solar-sites/core"
import { toNodeListener } from "@solar-sites/http-node"
import { Layer } from "effect"
import { userOf } from "./crm.ts"
import { makeHost } from "./host.ts"
import { Companies, OmRecords } from "./ports.ts"

const port = Number(process.env["PORT"] ?? 3000)
const address = `http://127.0.0.1:${port}/solar`
const dataDirectory = process.env["DATA_DIR"] ?? "./data"

const files = makeFileStore({
  directory: `${dataDirectory}/files`,
  publicUrl: address
})
// With a server: `Postgres.layer({ url })` in place of these two, the rest as it is.
const database = Layer.provideMerge(layerPorts, Pglite.layer({ dataDir: `${dataDirectory}/database` }))
const adapters = HostOrganisations.layer(Companies).pipe(
  Layer.provideMerge(Layer.provideMerge(Layer.effectDiscard(migrate), database)),
  Layer.merge(Layer.mergeAll(files.layer, OmRecords, AccessChanges.layerInProcess, RateLimiter.layerInProcess))
)

const solar = SolarSites.make(adapters)
const { close, listener, ready } = toNodeListener(solar.layer, {
  storage: files.app,
  // Whom the host knows comes in as a member of their company; anybody else needs an API key.
  authenticate: ({ headers }) => {
    const user = userOf(headers["authorization"])
    return user === null ? null : { organisationId: user.companyId, userId: user.id }
  }
})
await ready

const server = makeHost(solar, listener).listen(port, "127.0.0.1", (error) => {
  if (error) throw error
  console.log(`Solar Sites is at ${address}; log in as "ada" or "mia" at /login`)
})

// No new connections; what is under way ends, the host's own too; then what lies below is closed, from the top down.
const stop = async () => {
  const closed = new Promise((resolve) => server.close(resolve))
  await Promise.all([closed, close()])
  await solar.dispose()
  await files.dispose()
}
process.once("SIGTERM", stop).once("SIGINT", stop)
