/**
 * Solar Sites in a Hono application, beside its own routes. Records live in
 * memory, files in a folder that this server serves too.
 */
import { serve } from "@hono/node-server"
import { getConnInfo } from "@hono/node-server/conninfo"
import { makeFileStore } from "@solar-sites/adapter-filesystem"
import { SolarSites } from "@solar-sites/core"
import { toWebHandler } from "@solar-sites/http-node"
import { MemoryAdapters } from "@solar-sites/testing"
import { Layer } from "effect"
import { Hono } from "hono"

const port = Number(process.env["PORT"] ?? 3000)
const address = `http://127.0.0.1:${port}/solar`

const files = makeFileStore({
  directory: `${process.env["DATA_DIR"] ?? "./data"}/files`,
  publicUrl: address
})
const solar = SolarSites.make(Layer.merge(MemoryAdapters.layer, files.layer))

// A fetch handler sees no socket: Hono knows whose address may fail to authenticate only so often.
const addresses = new WeakMap<object, string>()
const { dispose, handler, ready } = toWebHandler(solar.layer, {
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

// An organisation and a key to try it with.
const { id: organisationId } = await solar.organisations.create({ name: "Demo" })
const { secret } = await solar.as({ organisationId }).apiKeys.create({ name: "Demo" })
const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () =>
  console.log(`Solar Sites is at ${address}\nx-api-key: ${secret}`)
)

// No new connections; what is under way ends; then what lies below is closed, from the top down.
const stop = () =>
  server.close(async () => {
    await dispose()
    await solar.dispose()
    await files.dispose()
  })
process.once("SIGTERM", stop).once("SIGINT", stop)
