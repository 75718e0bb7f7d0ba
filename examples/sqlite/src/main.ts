/**
 * Solar Sites in a server of node:http, under /solar. Records are in an SQLite database, files in a folder
 * that this server serves, too.
 */
import { mkdirSync } from "node:fs"
import { createServer } from "node:http"
import { makeFileStore } from "@solar-sites/adapter-filesystem"
import { SolarSites } from "@solar-sites/core"
import { toNodeListener } from "@solar-sites/http-node"
import * as Sqlite from "./Sqlite.ts"

const port = Number(process.env["PORT"] ?? 3000)
const address = `http://127.0.0.1:${port}/solar`
const directory = process.env["DATA_DIR"] ?? "./data"
mkdirSync(directory, { recursive: true })

const files = makeFileStore({ directory: `${directory}/files`, publicUrl: address })
const database = Sqlite.layer({ location: `${directory}/solar.sqlite` })
const solar = SolarSites.make({ database, storage: files })
const { listener, ready } = toNodeListener(solar, { prefix: "/solar", storage: files.app })
await ready

const server = createServer((request, response) => {
  if (request.url?.startsWith("/solar/")) listener(request, response)
  else if (request.url === "/hello") response.end("Hello from the host.")
  else response.writeHead(404).end("The host has no such page.")
})

// An organisation and a key for a first request.
const { id: organisationId } = await solar.organisations.create({ name: "Demo" })
const { secret } = await solar.as({ organisationId }).apiKeys.create({ name: "Demo" })
server.listen(port, "127.0.0.1", () => console.log(`Solar Sites is at ${address}\nx-api-key: ${secret}`))

// No new connections; requests end, then the adapters.
const stop = () => {
  server.close()
  solar.close()
}
process.once("SIGTERM", stop).once("SIGINT", stop)
