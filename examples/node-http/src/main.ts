/**
 * Solar Sites in a server of node:http: under /solar, beside a page of our own.
 * Records live in memory, files in a folder that this server serves too.
 */
import { createServer } from "node:http"
import { makeFileStore } from "@solar-sites/adapter-filesystem"
import { SolarSites } from "@solar-sites/core"
import { toNodeListener } from "@solar-sites/http-node"
import { MemoryAdapters } from "@solar-sites/testing"
import { Layer } from "effect"

const port = Number(process.env["PORT"] ?? 3000)
const address = `http://127.0.0.1:${port}/solar`

const files = makeFileStore({
  directory: `${process.env["DATA_DIR"] ?? "./data"}/files`,
  publicUrl: address
})
const solar = SolarSites.make(Layer.merge(MemoryAdapters.layer, files.layer))
const { close, listener, ready } = toNodeListener(solar.layer, { prefix: "/solar", storage: files.app })
await ready

const server = createServer((request, response) => {
  if (request.url?.startsWith("/solar/")) listener(request, response)
  else if (request.url === "/hello") response.end("Hello from the host.")
  else response.writeHead(404).end("The host has no such page.")
})

// An organisation and a key to try it with.
const { id: organisationId } = await solar.organisations.create({ name: "Demo" })
const { secret } = await solar.as({ organisationId }).apiKeys.create({ name: "Demo" })
server.listen(port, "127.0.0.1", () => console.log(`Solar Sites is at ${address}\nx-api-key: ${secret}`))

// No new connections; what is under way ends, the host's own too; then what lies below is closed, from the top down.
const stop = async () => {
  const closed = new Promise((resolve) => server.close(resolve))
  await Promise.all([closed, close()])
  await solar.dispose()
  await files.dispose()
}
process.once("SIGTERM", stop).once("SIGINT", stop)
