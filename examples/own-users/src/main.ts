/**
 * Solar Sites for the users, companies and O&M records of a host. Records of Solar Sites are in an
 * embedded Postgres, files in a folder beside it.
 */
import { makeFileStore } from "@solar-sites/adapter-filesystem"
import { promises } from "@solar-sites/adapter-postgres"
import * as Pglite from "@solar-sites/adapter-postgres/pglite"
import { SolarSites } from "@solar-sites/core"
import { toNodeListener } from "@solar-sites/http-node"
import { userOf } from "./crm.ts"
import { makeHost } from "./host.ts"
import { companiesForSolarSites, omRecordsForSolarSites } from "./ports.ts"

const port = Number(process.env["PORT"] ?? 3000)
const address = `http://127.0.0.1:${port}/solar`
const dataDirectory = process.env["DATA_DIR"] ?? "./data"

// With a Postgres server: `Postgres.layer({ url })`, and the rest as it is.
const database = Pglite.layer({ dataDir: `${dataDirectory}/database` })
await promises.migrate(database)

const files = makeFileStore({ directory: `${dataDirectory}/files`, publicUrl: address })
const solar = SolarSites.make({
  database,
  storage: files,
  organisations: companiesForSolarSites,
  omRecords: omRecordsForSolarSites
})
const { listener, ready } = toNodeListener(solar, {
  storage: files.app,
  // A user of the host acts for its company. Every other request needs an API key.
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

// No new connections; requests end, then the adapters.
const stop = () => {
  server.close()
  solar.close()
}
process.once("SIGTERM", stop).once("SIGINT", stop)
