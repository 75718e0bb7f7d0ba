/**
 * Solar Sites in an Express application: before its body parser, which is the better place, and
 * once more after it.
 */
import { SolarSites } from "@solar-sites/core"
import { toNodeListener } from "@solar-sites/http-node"
import { MemoryAdapters } from "@solar-sites/testing"
import express from "express"

const port = Number(process.env["PORT"] ?? 3000)

const solar = SolarSites.make(MemoryAdapters.layer)
// No prefix: Express removes the mounted path and leaves it in request.baseUrl.
const { listener, ready } = toNodeListener(solar)
await ready

const app = express()
app.use("/solar", listener)
app.use(express.json())
app.use("/late/solar", listener)
app.get("/hello", (_, response) => {
  response.send("Hello from the host.")
})

// An organisation and a key for a first request.
const { id: organisationId } = await solar.organisations.create({ name: "Demo" })
const { secret } = await solar.as({ organisationId }).apiKeys.create({ name: "Demo" })
const server = app.listen(port, "127.0.0.1", (error) => {
  if (error) throw error
  console.log(`Solar Sites is at http://127.0.0.1:${port}/solar\nx-api-key: ${secret}`)
})

// No new connections; requests end, then the adapters.
const stop = () => {
  server.close()
  solar.close()
}
process.once("SIGTERM", stop).once("SIGINT", stop)
