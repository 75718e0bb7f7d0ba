/**
 * Solar Sites in a Hono application. Records are in memory, files in a folder that this server
 * serves, too.
 */
import { serve } from "@hono/node-server"
import { getConnInfo } from "@hono/node-server/conninfo"
import { makeFileStore } from "@solar-sites/adapter-filesystem"
import { SolarSites } from "@solar-sites/core"
import { toWebHandler } from "@solar-sites/http-node"
import { MemoryAdapters } from "@solar-sites/testing"
import { Hono } from "hono"

const port = Number(process.env["PORT"] ?? 3000)
const address = `http://127.0.0.1:${port}/solar`

const files = makeFileStore({ directory: `${process.env["DATA_DIR"] ?? "./data"}/files`, publicUrl: address })
const solar = SolarSites.make({ database: MemoryAdapters.layer, storage: files })

// A fetch handler sees no socket. Hono knows the address, which limits failed authentications.
const addresses = new WeakMap<object, string>()
const { handler, ready } = toWebHandler(solar, {
  prefix: "/solar",
  storage: files.app,
  clientAddress: ({ source }) => addresses.get(source)
})
await ready

const app = new Hono()
app.all("/solar/*", (context) => {
  addresses.set(context.req.raw, getConnInfo(context).remote.address ?? "")
  return handler(context.req.raw)
})
app.get("/hello", (context) => context.text("Hello from the host."))

// An organisation and a key for a first request.
const { id: organisationId } = await solar.organisations.create({ name: "Demo" })
const { secret } = await solar.as({ organisationId }).apiKeys.create({ name: "Demo" })
const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () =>
  console.log(`Solar Sites is at ${address}\nx-api-key: ${secret}`)
)

// No new connections; requests end, then the adapters.
const stop = () => server.close(() => solar.close())
process.once("SIGTERM", stop).once("SIGINT", stop)
